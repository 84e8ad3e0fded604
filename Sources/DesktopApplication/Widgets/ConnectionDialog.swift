import CGtk
import GLibKit
import Wording

/// How good the connection of a call is, and whether anybody could be in between.
@MainActor final class ConnectionDialog: Dialog {
    let window: DialogWindow
    private let template = Template("connection")
    private let session: any CallSession
    private var rows: [Widget] = []
    private var code: String?
    private var isShowing = false

    /// Makes the window, to lie over another.
    init(over parent: Widget, session: any CallSession, reading: QualityReading?) {
        self.session = session
        window = DialogWindow(template.root, over: parent)
        template["compared_switch"].connect("notify::active") { [weak self] in self?.compare() }
        show(reading)
        Task { [weak self] in
            guard let check = await session.securityCheck() else { return }
            self?.show(check)
        }
    }

    /// Shows what was read now; nil leaves what there is.
    func show(_ reading: QualityReading?) {
        guard let reading else { return }
        template["quality_icon"][property: "icon-name"] = reading.icon
        template["quality_word"].text = tr("Connection: %s", reading.quality.word)
        template["quality_reason"].text = reading.quality.reason ?? tr("Nothing keeps the call from being good.")
        let lines = reading.lines
        // The rows stay as they are, with the focus on them, while their values change.
        while rows.count > lines.count { gtk_list_box_remove(template["lines"].pointer(), rows.removeLast().pointer()) }
        while rows.count < lines.count {
            let row = Widget(retaining: UnsafeMutableRawPointer(adw_action_row_new()))
            row[property: "use-markup"] = false
            gtk_list_box_append(template["lines"].pointer(), row.pointer())
            rows.append(row)
        }
        for (row, line) in zip(rows, lines) {
            row.text = line.title
            row[property: "subtitle"] = line.value
        }
    }

    private func show(_ check: SecurityCheck) {
        code = check.code
        template["code_row"][property: "subtitle"] = check.code
        template["security"].isVisible = true
        isShowing = true
        defer { isShowing = false }
        template["compared_switch"][property: "active"] = check.isCompared
    }

    private func compare() {
        guard !isShowing, let code else { return }
        let isCompared: Bool = template["compared_switch"][property: "active"] ?? false
        Task { [weak self, session] in
            do {
                try await session.setCompared(isCompared ? code : nil)
            } catch {
                // Another code holds by now.
                self?.template["code_error"].text = sentence(of: error)
                self?.template["code_error"].isVisible = true
                if let check = await session.securityCheck() { self?.show(check) }
            }
        }
    }
}
