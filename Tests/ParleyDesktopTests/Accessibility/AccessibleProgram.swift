/// A program as assistive tools find it.
struct AccessibleProgram {
    let processIdentifier: Int32

    /// Every widget that is there for people.
    var widgets: [Accessible] { application?.visible ?? [] }

    /// The first of them that fulfils a condition.
    func first(where matches: (Accessible) -> Bool) -> Accessible? { application?.firstVisible(where: matches) }

    private var application: Accessible? { Accessible.program(of: processIdentifier) }

    private var visibleWindows: [Accessible] { (application?.children ?? []).filter(\.isVisible) }

    /// Buttons that a screen reader can't name: GTK falls back to the name of a class.
    var namelessButtons: [String] {
        widgets.filter { $0.role.contains("button") && ($0.name.isEmpty || $0.name.hasPrefix("Gtk")) }.map(\.name)
    }

    /// Buttons, fields, switches and lists to choose from that a screen reader can't name.
    var namelessControls: [String] {
        widgets.compactMap { widget in
            let (role, name) = (widget.role, widget.name)
            let isField = Self.fields.contains(role)
            guard isField || role.contains("button"),
                name.isEmpty || name.hasPrefix("Gtk") || isField && name.hasPrefix("Adw")
            else { return nil }
            return "\(role) “\(name)”"
        }
    }

    private static let fields: Set = [
        "text", "entry", "password text", "combo box", "check box", "switch", "spin button", "slider", "page tab",
        "menu item", "radio button",
    ]

    /// How far the middle of what has this name lies from the left of its window, from 0 to 1; nil before it has a place.
    func place(of name: String) -> Double? {
        for window in visibleWindows {
            guard let room = window.frame,
                let found = window.firstVisible(where: { $0.name == name && $0.middle != nil }),
                let middle = found.middle
            else { continue }
            return Double(middle.x) / Double(max(room.width, 1))
        }
        return nil
    }

    /// What it is called.
    var name: String? { application?.name }

    /// Its windows, by role and name.
    var windows: [(role: String, name: String)] {
        visibleWindows.map { ($0.role, $0.name) }
    }

    /// Buttons and fields that lie outside of their window, or partly, where nothing scrolls.
    var unreachableControls: [String] {
        visibleWindows.flatMap { window -> [String] in
            guard let room = window.frame else { return [] }
            return unreachable(in: window, width: room.width, height: room.height)
        }
    }

    private func unreachable(in widget: Accessible, width: Int, height: Int) -> [String] {
        // GTK 4.18 counts the window's size with its shadow, and places from inside of it.
        let edge = 6
        return widget.children.filter { $0.isVisible && $0.role != "scroll pane" }.flatMap { child -> [String] in
            var result = unreachable(in: child, width: width, height: height)
            if child.role.contains("button") || child.role == "text" || child.role == "combo box",
                let place = child.frame,
                place.x < -edge || place.y < -edge || place.x + place.width > width + edge
                    || place.y + place.height > height + edge
            {
                result.append("\(child.role) “\(child.name)” at \(place) of \(width)×\(height)")
            }
            return result
        }
    }

    /// Asks for windows it had and has not any more, as an assistive tool does that has not heard of their end yet.
    func askForMissingWindows() {
        guard let application else { return }
        for index in 1...4 as ClosedRange<Int32> { application.askForChild(index) }
    }
}
