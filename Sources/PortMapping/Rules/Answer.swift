/// What a router's datagram says to a question.
enum Answer: Equatable, Sendable {
    /// It knows no PCP, but NAT-PMP.
    case speaksNATPMP
    /// It forwards no ports this way.
    case cannotMap
    /// It is there, and has known what it knows for so many seconds. So with `epoch` below.
    case alive(epoch: UInt32)
    case address(IPv4Address, epoch: UInt32)
    /// The lifetime is in seconds, and at least 1.
    case mapped(IPv4Address, port: UInt16, lifetime: UInt32, epoch: UInt32)
    /// With the seconds for which the same is to be expected.
    case refused(RouterRefusal, for: UInt32)

    /// Nil for what is no answer to this question: of another kind, mapping or nonce, or one that says nothing that can be.
    init?(_ bytes: [UInt8], to question: Question, nonce: [UInt8], port: UInt16) {
        switch question.way {
        case .pcp:
            // RFC 6887 Appendix A: a server that knows only NAT-PMP answers in that.
            if let other = NATPMPResponse(decoding: bytes), other.result == NATPMPResult.unsupportedVersion.rawValue {
                self = .speaksNATPMP
                return
            }
            guard let answer = PCPResponse(decoding: bytes) else { return nil }
            self.init(answer, to: question, nonce: nonce, port: port)
        case .natPMP:
            guard let answer = NATPMPResponse(decoding: bytes) else { return nil }
            self.init(answer, to: question, port: port)
        case .upnp: return nil
        }
    }

    private init?(_ answer: PCPResponse, to question: Question, nonce: [UInt8], port: UInt16) {
        guard answer.operation == (question == .pcpWatch ? .announce : .map) else { return nil }
        if question == .pcpWatch {
            self = .alive(epoch: answer.epoch)
            return
        }
        let result = PCPResult(rawValue: answer.result)
        if result == .unsupportedVersion {
            self = .cannotMap
            return
        }
        // RFC 6887 §11.4: the answer to another mapping is none, be it an error.
        guard let mapping = answer.mapping, mapping.nonce == nonce, mapping.internalPort == port else { return nil }
        guard result == .success else {
            self = Self.refusal(result, answer, isPrivate: mapping.externalAddress.isOfPrivateNetwork)
            return
        }
        if question == .pcpRemove {
            self = .alive(epoch: answer.epoch)
            return
        }
        guard mapping.externalPort != 0, !mapping.externalAddress.isUnspecified, answer.lifetime > 0 else { return nil }
        self = .mapped(
            mapping.externalAddress, port: mapping.externalPort, lifetime: answer.lifetime, epoch: answer.epoch)
    }

    /// - Parameter isPrivate: whether the router names an address outside that is none of the Internet's: miniupnpd says then that it lacks
    ///   resources.
    private static func refusal(_ result: PCPResult?, _ answer: PCPResponse, isPrivate: Bool) -> Answer {
        let reason: RouterRefusal
        switch result {
        case .unsupportedOperation, .unsupportedProtocol: return .cannotMap
        case .notAuthorized: reason = .notAuthorized
        case .networkFailure: reason = .noExternalAddress
        case .noResources: reason = isPrivate ? .noExternalAddress : .noResources
        case .quotaExceeded: reason = .noResources
        case .cannotProvideExternal: reason = .portTaken
        case .addressMismatch: reason = .anotherInBetween
        case .success, .unsupportedVersion, .malformedRequest, .unsupportedOption, .malformedOption,
            .excessiveRemotePeers, nil:
            reason = .other(.pcp, Int(answer.result))
        }
        return .refused(reason, for: answer.lifetime)
    }

    private init?(_ answer: NATPMPResponse, to question: Question, port: UInt16) {
        let operation: NATPMPOperation =
            switch question {
            case .natPMPAddress, .natPMPWatch: .address
            case .pcpMap, .pcpWatch, .pcpRemove, .natPMPMap, .natPMPRemove: .mapTCP
            }
        guard answer.operation == operation.rawValue else { return nil }
        switch (answer.content, question) {
        case (.address(let address), _): self = .address(address, epoch: answer.epoch)
        case (.mapping(port, _, _), .natPMPRemove): self = .alive(epoch: answer.epoch)
        case (.mapping(port, let external, let lifetime), .natPMPMap(let address)):
            guard external != 0, lifetime > 0 else { return nil }
            self = .mapped(address, port: external, lifetime: lifetime, epoch: answer.epoch)
        case (.mapping, _): return nil
        case (nil, _):
            switch NATPMPResult(rawValue: answer.result) {
            case .unsupportedVersion, .unsupportedOperation: self = .cannotMap
            case .notAuthorized: self = .refused(.notAuthorized, for: 0)
            case .networkFailure: self = .refused(.noExternalAddress, for: 0)
            case .noResources: self = .refused(.noResources, for: 0)
            case .success, nil: self = .refused(.other(.natPMP, Int(answer.result)), for: 0)
            }
        }
    }
}
