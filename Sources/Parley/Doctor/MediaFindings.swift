import Media
import MediaRules

extension Doctor {
    /// What calls are made of, and a line for each use that lacks something.
    func elements() -> [Finding] {
        do throws(MediaError) {
            try MediaRuntime.start()
        } catch {
            return [Finding(.elements, .problem, .noElements(error))]
        }
        let needed = NeededElement.all.count { $0.use == .call }
        return [Finding(.elements, .ok, .elements(needed))]
            + NeededElement.Use.allCases.compactMap { Finding(missing: MediaRuntime.missing(for: [$0]), for: $0) }
    }
}

extension Finding {
    /// Elements that are missing for a use that calls can be without; nil when none are.
    init?(missing elements: [NeededElement], for use: NeededElement.Use) {
        guard use != .call, let missing = MissingElements(elements) else { return nil }
        self.init(.elements, of: use.rawValue, .warning, .lacking(missing, use))
    }

    /// The devices of one kind.
    init(_ devices: MediaDevices, _ kind: DeviceKind) {
        let found = devices[kind]
        guard let first = found.first else {
            self.init(.devices, of: kind.rawValue, .warning, .noDevice(kind))
            return
        }
        self.init(.devices, of: kind.rawValue, .ok, .device(kind, first.name, count: found.count))
    }

    /// What a STUN or TURN server answers.
    init(_ server: ICEServer) async {
        do throws(ServerTestError) {
            self.init(server, try await ServerTest.run(server))
        } catch {
            self.init(.server, of: server.url, .problem, .serverUnusable(error))
        }
    }

    init(_ server: ICEServer, _ answer: ServerTest.Answer) {
        self.init(.server, of: server.url, .ok, .server(answer))
    }
}
