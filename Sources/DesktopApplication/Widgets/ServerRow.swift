import CGtk
import GLibKit
import Wording

/// A row of the preferences about a server that can be tested and removed. What becomes of a test is told in it.
@MainActor struct ServerRow: ItemRow {
    private let template = Template("relay-row")

    var root: Widget { template.root }

    /// Shows a server: its address, and what it is used for.
    func show(_ address: String, use: String) {
        root.text = address
        root[property: "subtitle"] = use
        template["test_button"].isVisible = true
        template["test_button"].describe(tr("Test the server %s", address))
        template["remove_button"].describe(tr("Remove the server %s", address))
    }

    /// Calls `body` when the server is to be tested.
    func onTest(_ body: @escaping @MainActor () -> Void) { template["test_button"].connect("clicked", body) }

    /// Calls `body` when the server is to be removed.
    func onRemove(_ body: @escaping @MainActor () -> Void) { template["remove_button"].connect("clicked", body) }

    /// Shows what a test does, below what is known already.
    func showTest(_ known: [String] = [], doing: String = tr("Asking it…")) {
        template["test_button"].isSensitive = false
        tell(known + [doing])
    }

    /// Shows what a test has found.
    func endTest(_ found: [String]) {
        template["test_button"].isSensitive = true
        tell(found)
    }

    private func tell(_ lines: [String]) {
        // What a server says is no short line.
        root[property: "subtitle-lines"] = 0
        root[property: "subtitle"] = lines.joined(separator: "\n")
    }
}
