import Agent

extension ConnectionFault {
    /// A fault as a profile keeps it: the agent's error, or the words of an earlier Parley.
    struct Kept: Codable, Equatable, Sendable {
        let fault: ConnectionFault

        private enum CodingKeys: CodingKey { case error, text }

        init(fault: ConnectionFault) { self.fault = fault }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            guard values.contains(.error) else {
                fault = .kept(try values.decode(String.self, forKey: .text))
                return
            }
            fault = (try? values.decode(AgentError.self, forKey: .error)).map(ConnectionFault.agent) ?? .unknown
        }

        func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: CodingKeys.self)
            switch fault {
            case .agent(let error): try values.encode(error, forKey: .error)
            case .kept(let text): try values.encode(text, forKey: .text)
            case .unknown, .nothingToRetry, .notMovable, .nothingToRepair: try values.encode("\(fault)", forKey: .error)
            }
        }
    }
}
