import CGLib

/// The widgets of a program, as it showed them to assistive tools.
///
/// GTK tells names, roles and states of all that it has told of before in one message (`org.a11y.atspi.Cache`). It does not tell what of it is
/// hidden by now, nor what no tool has asked for, so every widget that has some inside is asked which these are, without waiting for one
/// answer before the next question.
final class AccessibleTree {
    /// What is known of a widget.
    struct Item {
        let path: String
        let childCount: Int
        let interfaces: Set<String>
        let name: String
        let role: UInt32
        let states: UInt64

        /// Reads one of the cache's lines: object, program and parent (each a name and a path), index, number of children, interfaces, name,
        /// role, description, states. Nil when it is written otherwise.
        init?(_ answer: BusAnswer) {
            guard answer.type == "((so)(so)(so)iiassusau)", let path = answer[0]?[1]?.text,
                let childCount = answer[4]?.number,
                let name = answer[6]?.text, let role = answer[7]?.number, let states = answer[9]
            else { return nil }
            self.path = path
            self.childCount = childCount
            self.name = name
            interfaces = Set((answer[5]?.members ?? []).compactMap(\.text))
            self.role = UInt32(truncatingIfNeeded: role)
            self.states = Self.states(states)
        }

        /// A set of states, which comes as two words of 32 bits.
        static func states(_ answer: BusAnswer) -> UInt64 {
            answer.members.enumerated().reduce(0) { sum, word in
                word.offset < 2 ? sum | UInt64(word.element.number ?? 0) << (32 * UInt64(word.offset)) : sum
            }
        }
    }

    /// The program's name on the bus.
    let program: String
    private let items: [String: Item]
    private let members: [String: [String]]

    /// Looks at a program; nil when it does not answer.
    static func look(at program: String) -> AccessibleTree? {
        guard let before = items(of: program) else { return nil }
        let members = MemberSurvey.members(in: program) { before[$0]?.childCount != 0 || $0 == AccessibilityBus.root }
        let isKnown = members.values.allSatisfy { $0.allSatisfy { before[$0] != nil } }
        guard let items = isKnown ? before : items(of: program) else { return nil }
        return AccessibleTree(program: program, items: items, members: members)
    }

    private init(program: String, items: [String: Item], members: [String: [String]]) {
        self.program = program
        self.items = items
        self.members = members
    }

    private static func items(of program: String) -> [String: Item]? {
        let answer = AccessibilityBus.ask(program, "/org/a11y/atspi/cache", "org.a11y.atspi.Cache", "GetItems")
        guard let lines = answer?[0]?.members else { return nil }
        return Dictionary(lines.compactMap(Item.init).map { ($0.path, $0) }) { $1 }
    }

    /// The program itself; nil before it has shown anything.
    var root: Item? { items[AccessibilityBus.root] }

    /// What is inside of a widget and not hidden, in order.
    func members(of item: Item) -> [Item] { (members[item.path] ?? []).compactMap { items[$0] } }
}

/// Asks a program which widgets are in which, from its root on down.
private final class MemberSurvey {
    private let program: String
    private let hasMembers: (String) -> Bool
    private var members: [String: [String]] = [:]
    private var pending = 0

    /// What is inside of each widget that may have something inside, in order.
    static func members(in program: String, where hasMembers: @escaping (String) -> Bool) -> [String: [String]] {
        let context = g_main_context_new()
        defer { g_main_context_unref(context) }
        g_main_context_push_thread_default(context)
        defer { g_main_context_pop_thread_default(context) }
        let survey = MemberSurvey(program, hasMembers)
        survey.ask(AccessibilityBus.root)
        while survey.pending > 0 { g_main_context_iteration(context, 1) }
        return survey.members
    }

    private init(_ program: String, _ hasMembers: @escaping (String) -> Bool) {
        self.program = program
        self.hasMembers = hasMembers
    }

    private func ask(_ path: String) {
        guard hasMembers(path), members[path] == nil else { return }
        members[path] = []
        pending += 1
        AccessibilityBus.ask(program, path, "org.a11y.atspi.Accessible", "GetChildren") { [self] answer in
            pending -= 1
            let inside = (answer?[0]?.members ?? []).compactMap { $0[1]?.text }
            members[path] = inside
            inside.forEach(ask)
        }
    }
}
