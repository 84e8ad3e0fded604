/// The peer's candidates whose address is a ``LocalName``, from their coming to the answer.
struct HiddenCandidates: Sendable {
    /// Most names looked up in one call; a browser has one for each of its addresses.
    static let maximumNames = 8
    /// Most candidates that wait for one name.
    static let maximumWaiting = 8

    private enum State: Sendable {
        case asked([MediaCandidate])
        case answered(String)
    }

    private var names: [LocalName: State] = [:]

    /// Sorts candidates: those to use as they are (among them what is beyond the bounds, for the filter to count), the
    /// names to look up, which have not been asked for before, and candidates whose name is known by now.
    mutating func sort(_ candidates: [MediaCandidate]) -> (plain: [MediaCandidate], questions: [LocalName]) {
        var plain: [MediaCandidate] = []
        var questions: [LocalName] = []
        for candidate in candidates {
            guard let name = CandidateLine.localName(of: candidate.candidate) else {
                plain.append(candidate)
                continue
            }
            switch names[name] {
            case .answered(let address): plain.append(candidate.replacingAddress(by: address))
            case .asked(let waiting) where waiting.count < Self.maximumWaiting:
                names[name] = .asked(waiting + [candidate])
            case nil where names.count < Self.maximumNames:
                names[name] = .asked([candidate])
                questions.append(name)
            case .asked, nil: plain.append(candidate)
            }
        }
        return (plain, questions)
    }

    /// The address of a name came in: the candidates that waited for it. Only the first answer counts.
    mutating func answer(_ name: LocalName, _ address: String) -> [MediaCandidate] {
        guard case .asked(let waiting) = names[name] else { return [] }
        names[name] = .answered(address)
        return waiting.map { $0.replacingAddress(by: address) }
    }
}

extension MediaCandidate {
    fileprivate func replacingAddress(by address: String) -> MediaCandidate {
        var fields = candidate.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard fields.count > 4 else { return self }
        fields[4] = address
        return MediaCandidate(candidate: fields.joined(separator: " "), mid: mid, mLineIndex: mLineIndex)
    }
}

extension CandidateLine {
    /// The name that a candidate has in place of its address.
    static func localName(of text: String) -> LocalName? {
        guard text.utf8.count <= maximumLength, text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let fields = text.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: false)
        return fields.count > 5 ? LocalName(parsing: fields[4]) : nil
    }
}
