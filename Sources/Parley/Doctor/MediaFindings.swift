import Media
import MediaRules

extension Doctor {
    /// What calls are made of, and a line for each use that lacks something.
    func elements() -> [Finding] {
        do throws(MediaError) {
            try MediaRuntime.start()
        } catch {
            return [Finding(.elements, .problem, "\(error)")]
        }
        let needed = NeededElement.all.count { $0.use == .call }
        return [Finding(.elements, .ok, "All \(needed) elements of GStreamer’s that every call needs are there.")]
            + NeededElement.Use.allCases.compactMap { Finding(missing: MediaRuntime.missing(for: [$0]), for: $0) }
    }
}

extension Finding {
    /// Elements that are missing for a use that calls can be without; nil when none are.
    init?(missing elements: [NeededElement], for use: NeededElement.Use) {
        guard use != .call, let missing = MissingElements(elements) else { return nil }
        self.init(
            .elements, of: use.rawValue, .warning, "GStreamer’s \(missing.names) can't be used: \(use.loss).",
            advice: missing.advice)
    }

    /// The devices of one kind.
    init(_ devices: MediaDevices, _ kind: DeviceKind) {
        let found = devices[kind]
        guard let first = found.first else {
            self.init(
                .devices, of: kind.rawValue, .warning, "No \(kind.rawValue) was found.",
                advice: "Calls go without; plug one in, or switch it on in the system's settings.")
            return
        }
        let more = found.count == 1 ? "" : "; there are \(found.count)"
        self.init(.devices, of: kind.rawValue, .ok, "The \(kind.rawValue) is “\(first.name)”\(more).")
    }

    /// What a STUN or TURN server answers.
    init(_ server: ICEServer) async {
        do throws(ServerTestError) {
            self.init(server, try await ServerTest.run(server))
        } catch {
            self.init(.server, of: server.url, .problem, "\(error)", advice: error.advice)
        }
    }

    init(_ server: ICEServer, _ answer: ServerTest.Answer) {
        let seen = answer.seen.map { "It sees this machine at \($0)" } ?? "It tells no address of this machine"
        let relayed = answer.relayed.map { " and relays at \($0)" } ?? ""
        self.init(.server, of: server.url, .ok, "\(seen)\(relayed) (\(answer.milliseconds) ms).")
    }
}

extension NeededElement.Use {
    /// What there is not without its elements.
    fileprivate var loss: String {
        switch self {
        case .call: "there are no calls"
        case .sound: "microphones and speakers are not found"
        case .processing: "echo and noise stay in the microphone's sound"
        case .camera: "cameras are not found"
        case .portal: "cameras and screens that the desktop hands out are not used"
        case .film: "no film can take a camera's place"
        }
    }
}

extension ServerTestError {
    /// What to do, where the sentence does not say it.
    fileprivate var advice: String? {
        switch self {
        case .server: "Write the server as stun:HOST:PORT, turn:HOST:PORT or turns:HOST:PORT, with its login."
        case .way, .refused: "Ask who runs the server, or use another one."
        case .silent, .loginRefused, .malformed: nil
        }
    }
}
