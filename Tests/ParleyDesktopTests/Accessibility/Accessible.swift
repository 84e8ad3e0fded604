import CAtspi

/// A widget of another program, as assistive tools saw it at one moment.
struct Accessible {
    private let tree: AccessibleTree
    private let item: AccessibleTree.Item
    private let states: UInt64

    /// The program of a process; nil while it shows nothing.
    static func program(of process: Int32) -> Accessible? {
        guard let name = AccessibilityBus.program(of: process) else { return nil }
        guard let tree = AccessibleTree.look(at: name), let root = tree.root else {
            AccessibilityBus.forget(process)
            return nil
        }
        return Accessible(tree, root)
    }

    private init(_ tree: AccessibleTree, _ item: AccessibleTree.Item, states: UInt64? = nil) {
        self.tree = tree
        self.item = item
        self.states = states ?? item.states
    }

    /// What it is called.
    var name: String { item.name }

    /// What kind of widget it is, such as "push button".
    var role: String {
        guard let name = atspi_role_get_name(AtspiRole(item.role)) else { return "" }
        defer { g_free(name) }
        return String(cString: name)
    }

    /// Whether it is there for people. GTK 4.8 never reports more ("showing") of a widget inside a window.
    var isVisible: Bool { Self.has(states, ATSPI_STATE_VISIBLE) }

    /// Whether it can be used.
    var isSensitive: Bool { Self.has(states, ATSPI_STATE_SENSITIVE) }

    /// Whether it is selected.
    var isSelected: Bool { Self.has(states, ATSPI_STATE_SELECTED) }

    /// Whether it has the focus of the keyboard.
    var isFocused: Bool { Self.has(states, ATSPI_STATE_FOCUSED) }

    /// Whether it is switched on.
    var isChecked: Bool { Self.has(states, ATSPI_STATE_CHECKED) }

    private static func has(_ states: UInt64, _ state: AtspiStateType) -> Bool {
        states & 1 << UInt64(state.rawValue) != 0
    }

    /// Whether it can be used and has been given a place. What lies on a page that was never shown has none yet; GTK says of a button
    /// there that it was pressed, and does nothing.
    var isReady: Bool { isSensitive && middle != nil }

    /// The widget with the states it has now; with none when it has gone.
    var now: Accessible {
        let answer = ask("Accessible", "GetState")?[0]
        return Accessible(tree, item, states: answer.map(AccessibleTree.Item.states) ?? 0)
    }

    /// The widgets in it.
    var children: [Accessible] { tree.members(of: item).map { Accessible(tree, $0) } }

    /// Asks for one of the widgets in it, which need not be there.
    func askForChild(_ index: Int32) { _ = ask("Accessible", "GetChildAtIndex", [.integer(index)]) }

    /// Everything in it that is there for people.
    var visible: [Accessible] { children.filter(\.isVisible).flatMap { [$0] + $0.visible } }

    /// The first in it, in order, that is there for people and meets a condition.
    func firstVisible(where matches: (Accessible) -> Bool) -> Accessible? {
        for child in children where child.isVisible {
            if matches(child) { return child }
            if let inner = child.firstVisible(where: matches) { return inner }
        }
        return nil
    }

    /// Presses it; false when it has nothing to press.
    func press() -> Bool { ask("Action", "DoAction", [.integer(0)])?[0]?.isTrue ?? false }

    /// The text in it; empty when it has none.
    var content: String { ask("Text", "GetText", [.integer(0), .integer(.max)])?[0]?.text ?? "" }

    /// Its middle inside its window, in pixels; nil when it has no place.
    var middle: (x: Int, y: Int)? { frame.map { ($0.x + $0.width / 2, $0.y + $0.height / 2) } }

    /// Where it is inside its window, in pixels; nil when it has no place.
    var frame: (x: Int, y: Int, width: Int, height: Int)? {
        let window = AccessibilityBus.Argument.unsigned(ATSPI_COORD_TYPE_WINDOW.rawValue)
        guard let answer = ask("Component", "GetExtents", [window])?[0], answer.type == "(iiii)" else { return nil }
        let numbers = answer.members.compactMap(\.number)
        guard numbers.count == 4, numbers[2] > 0, numbers[3] > 0 else { return nil }
        return (numbers[0], numbers[1], numbers[2], numbers[3])
    }

    /// Replaces the text in it; false when it has none.
    func type(_ text: String) -> Bool { ask("EditableText", "SetTextContents", [.text(text)])?[0]?.isTrue ?? false }

    /// Asks the widget itself, by an interface of AT-SPI; nil when it has gone or has no such interface.
    private func ask(
        _ interface: String, _ method: String, _ arguments: [AccessibilityBus.Argument] = []
    ) -> BusAnswer? {
        let interface = "org.a11y.atspi." + interface
        guard item.interfaces.contains(interface) else { return nil }
        return AccessibilityBus.ask(tree.program, item.path, interface, method, arguments)
    }
}
