import Portal

/// What the desktop, or a second start of the program, asks of the application.
package enum ApplicationRequest: Equatable, Sendable {
    /// To show itself.
    case activate(token: String?)
    /// To open links, as they were given.
    case open([String], token: String?)
    /// To do one of its actions.
    case action(String, parameter: BusValue?, token: String?)
}

/// The object of `org.freedesktop.Application` (Desktop Entry Specification, "D-Bus Activation").
///
/// `token` is what lets a window come to the front: the platform data's `activation-token`, or `desktop-startup-id`.
package struct ApplicationServer: Sendable {
    /// What is answered, at once, and what was asked for.
    package struct Answer: Equatable, Sendable {
        /// The values of the reply.
        package var values: [BusValue] = []
        /// What to do; nil for a question that has its answer.
        package var request: ApplicationRequest?
    }

    /// Where it is.
    package let path: String

    /// The application's object, at its path.
    package init(path: String = ParleyService.path) { self.path = path }

    /// Answers a call.
    /// - Throws: the error that is its answer.
    package func receive(_ call: MethodCall) throws(BusFailure) -> Answer {
        guard call.path == path else { throw .unknownObject(call.path) }
        let object = BusObject(facets: [BusObject.Facet(interface: .application)], children: ["calls", "log"])
        if let values = try object.answer(call) { return Answer(values: values) }
        guard let request = Self.request(call) else { throw .invalidArguments(call.name) }
        return Answer(request: request)
    }

    private static func request(_ call: MethodCall) -> ApplicationRequest? {
        guard let platform = call.arguments.last?.entries else { return nil }
        let token = token(of: platform)
        switch call.name {
        case "Activate": return .activate(token: token)
        case "Open":
            guard let links = call.arguments.first?.members else { return nil }
            return .open(links.compactMap(\.string), token: token)
        case "ActivateAction":
            guard let name = call.arguments.first?.string, let parameters = call.arguments.dropFirst().first?.members,
                parameters.count <= 1
            else { return nil }
            var parameter = parameters.first
            if case .variant(let inner) = parameter { parameter = inner }
            return .action(name, parameter: parameter, token: token)
        default: return nil
        }
    }

    private static let tokenNames = ["activation-token", "desktop-startup-id"]

    /// A token that a display server can be given: short, plain text.
    private static func token(of platform: [String: BusValue]) -> String? {
        tokenNames.compactMap { platform[$0]?.string }.first { token in
            (1...256).contains(token.utf8.count) && token.utf8.allSatisfy { (0x20...0x7e).contains($0) }
        }
    }

    /// Serves it on a connection, at its path and below, until somebody else does. `body` runs on GDBus's thread and must not
    /// wait.
    package func serve(on bus: Bus, _ body: @escaping @Sendable (ApplicationRequest) -> Void) {
        bus.serve(under: path) { call in
            do throws(BusFailure) {
                let answer = try receive(MethodCall(call))
                if let request = answer.request { body(request) }
                call.answer(answer.values)
            } catch {
                call.refuse(error.name, error.message)
            }
        }
    }
}

extension BusInterface {
    static let application = BusInterface(
        name: "org.freedesktop.Application",
        methods: [
            Method("Activate", takes: [Argument("platform_data", "a{sv}")]),
            Method("Open", takes: [Argument("uris", "as"), Argument("platform_data", "a{sv}")]),
            Method(
                "ActivateAction",
                takes: [
                    Argument("action_name", "s"), Argument("parameter", "av"), Argument("platform_data", "a{sv}"),
                ]),
        ])
}
