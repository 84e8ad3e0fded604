import Agent

extension ConnectionFault {
    /// A fault as a profile keeps it: the agent's error, and what it says, for a program that does not know this error.
    struct Kept: Codable, Equatable, Sendable {
        let fault: ConnectionFault

        private enum CodingKeys: CodingKey { case error, text }

        init(fault: ConnectionFault) { self.fault = fault }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            if let error = try? values.decode(AgentError.self, forKey: .error) {
                fault = .agent(error)
            } else {
                fault = .kept(try values.decode(String.self, forKey: .text))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: CodingKeys.self)
            switch fault {
            case .agent(let error):
                try values.encode(error, forKey: .error)
                try values.encode("\(error)", forKey: .text)
            case .kept(let text): try values.encode(text, forKey: .text)
            case .nothingToRetry, .notMovable, .nothingToRepair: try values.encode("\(fault)", forKey: .text)
            }
        }
    }
}
