import Parley
import PortMapping
import Wording

extension EventPrinter {
    /// Prints what is known of the port in the router.
    func tell(_ openness: PortOpenness?) {
        guard let openness else { return aside("port", ["state": "closed"], sentence: nil) }
        var fields: Fields = [
            "state": .string(openness.mapping.word), "trial": .string(openness.trial.word),
            "message": .string(openness.sentence),
        ]
        if let mapped = openness.mapping.mapped {
            fields["address"] = .string(mapped.address)
            fields["port"] = .number(Int(mapped.port))
            fields["way"] = .string(mapped.way.word)
        }
        aside("port", fields, sentence: PlainLine(openness.sentence))
    }
}

extension PortMappingState {
    /// In a JSON line.
    fileprivate var word: String {
        switch self {
        case .asking: "asking"
        case .open: "open"
        case .behindAnotherRouter: "behind-another-router"
        case .refused: "refused"
        case .unanswered: "unanswered"
        case .lost: "lost"
        }
    }
}

extension PortOpenness.Trial {
    fileprivate var word: String {
        switch self {
        case .none: "none"
        case .running: "running"
        case .reached: "reached"
        case .unreached: "unreached"
        }
    }
}

extension PortMappingWay {
    fileprivate var word: String {
        switch self {
        case .pcp: "pcp"
        case .natPMP: "nat-pmp"
        case .upnp: "upnp"
        }
    }
}
