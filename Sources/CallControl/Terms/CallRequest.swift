/// What another program wants done. Calls have the names that the program gave them (``CallFacts/id``).
package enum CallRequest: Equatable, Sendable {
    /// Call a contact, named by ``CallFacts/contact`` or by name. The person has to see it.
    case dial(contact: String, isVideo: Bool)
    /// Accept a call that rings. The person has to see it.
    case accept(call: String, withCamera: Bool)
    /// The same, and end the call that the person is in.
    case acceptAndEnd(call: String, withCamera: Bool)
    case decline(call: String)
    /// Ring no more here, and let the caller hear it ring on.
    case ignore(call: String)
    /// Let no call of whoever calls ring any more; to them this one rings on.
    case block(call: String)
    case hangUp(call: String)
    /// Put a call that is on on hold, or go on with it; another one that the person is in is put on hold then.
    case hold(call: String)
    case resume(call: String)
    case setMicrophone(call: String, isOn: Bool)
    case setCamera(call: String, isOn: Bool)
    /// Tell everybody who calls at once that the person is busy, or no more.
    case setBusy(Bool)

    /// Which call it is about; nil for a new one and what is about none.
    package var call: String? {
        switch self {
        case .dial, .setBusy: nil
        case .accept(let call, _), .acceptAndEnd(let call, _), .hold(let call), .resume(let call), .decline(let call),
            .ignore(let call), .block(let call), .hangUp(let call),
            .setMicrophone(let call, _), .setCamera(let call, _):
            call
        }
    }

    var isDial: Bool { if case .dial = self { true } else { false } }

    /// Whether it is what was asked for when the call is gone.
    var asksForEnd: Bool {
        switch self {
        case .decline, .hangUp: true
        case .dial, .accept, .acceptAndEnd, .ignore, .block, .hold, .resume, .setMicrophone, .setCamera, .setBusy: false
        }
    }

    /// Whether it makes sense for a call in a state.
    func fits(_ state: CallFacts.State) -> Bool {
        switch self {
        case .dial, .setBusy: false
        case .accept, .acceptAndEnd, .decline, .ignore, .block: state == .ringing
        case .hold, .resume: state == .active || state == .reconnecting
        case .hangUp, .setMicrophone, .setCamera: state != .ringing && state != .ended
        }
    }
}

/// What became of a request.
package enum CallOutcome: Equatable, Sendable {
    /// It was done.
    case done
    /// The contact is being called; the value is the call's own name, which must be among the calls told before.
    case dialled(call: String)
    /// It was not done.
    case refused(CallRefusal)
}
