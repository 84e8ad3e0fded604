import CGtk
import GLibKit
import Parley
import Wording

/// The part of the preferences about the log of calls: whether and how long it is kept.
@MainActor final class CallLogGroup {
    private let template: Template
    private let provider: any CallLogProvider
    private var settings = CallLogSettings()
    private var isShowing = false
    /// Whether the person has chosen something: what is read later does not take its place.
    private var hasChosen = false

    private static let periods = CallLogSettings.Period.allCases

    /// Fills the widgets of the preferences' template.
    init(_ template: Template, provider: any CallLogProvider) {
        self.template = template
        self.provider = provider
        let model = Object(adopting: UnsafeMutableRawPointer(gtk_string_list_new(nil)))
        for period in Self.periods { gtk_string_list_append(model.pointer(), Self.title(period)) }
        adw_combo_row_set_model(template["log_period"].pointer(), model.pointer())
        template["log_switch"].connect("notify::active") { [weak self] in self?.changed() }
        template["log_period"].connect("notify::selected") { [weak self] in self?.changed() }
        show()
        Task { [weak self] in
            guard let settings = await provider.callLogSettings(), let self, !hasChosen else { return }
            self.settings = settings
            show()
        }
    }

    private static func title(_ period: CallLogSettings.Period) -> String {
        switch period {
        case .day: tr("For a day")
        case .week: tr("For a week")
        case .month: tr("For a month")
        case .year: tr("For a year")
        case .forever: tr("Until I delete them")
        }
    }

    private func show() {
        isShowing = true
        defer { isShowing = false }
        template["log_switch"][property: "active"] = settings.isOn
        let index = Self.periods.firstIndex(of: settings.period) ?? 0
        adw_combo_row_set_selected(template["log_period"].pointer(), guint(index))
    }

    private func changed() {
        guard !isShowing else { return }
        var wanted = settings
        wanted.isOn = template["log_switch"][property: "active"] ?? true
        let index = Int(adw_combo_row_get_selected(template["log_period"].pointer()))
        if Self.periods.indices.contains(index) { wanted.period = Self.periods[index] }
        guard wanted != settings else { return }
        hasChosen = true
        let before = settings
        settings = wanted
        say("")
        Task { [provider, weak self] in
            do {
                try await provider.setCallLogSettings(wanted)
            } catch {
                self?.settings = before
                self?.show()
                self?.say(sentence(of: error))
            }
        }
    }

    private func say(_ sentence: String) {
        template["log_error"].text = sentence
        template["log_error"].isVisible = !sentence.isEmpty
    }
}
