import Calling
import Parley

extension GroupCallFault: Worded {
    public var sentence: String {
        switch self {
        case .notOffered: tr("Calls of several people are switched off in this profile.")
        case .notTaken(let name): tr("%s can’t join: their program takes part in no calls of several people.", name)
        case .refused(let refusal): refusal.sentence
        case .noneLeft: tr("There is no call of several people to come back into.")
        }
    }
}

extension GroupCallRefusal: Worded {
    public var sentence: String {
        switch self {
        case .needsServer: tr("More than four people need a call server.")
        case .full: tr("The call is full.")
        case .notNow: tr("Nobody can be invited to the call now.")
        }
    }
}

extension GroupCallEndReason: Worded {
    public var sentence: String {
        switch self {
        case .hungUp: tr("You left the call.")
        case .cancelled: CallEndReason.cancelled.sentence
        case .declined: CallEndReason.declined.sentence
        case .missed: CallEndReason.missed.sentence
        case .nobodyJoined: tr("Nobody joined the call.")
        case .nobodyReached: CallEndReason.signalingFailed.sentence
        case .connectTimeout: CallEndReason.connectTimeout.sentence
        case .connectionLost: CallEndReason.connectionLost.sentence
        case .alone: tr("Nobody else came to the call any more.")
        case .over: tr("The call is over.")
        case .removed: tr("You were removed from the call.")
        }
    }
}

extension GroupCallUpdate.MemberStage {
    /// What a member does, in a sentence.
    public func sentence(naming name: String) -> String {
        switch self {
        case .inviting: tr("%s is being called.", name)
        case .unreachable: tr("%s can’t be reached yet: their relay does not answer.", name)
        case .ringing: tr("It is ringing at %s’s side.", name)
        case .connecting: tr("%s is joining.", name)
        case .connected: tr("%s is in the call.", name)
        case .reconnecting: tr("The connection to %s is being restored.", name)
        case .left: tr("%s left the call.", name)
        case .removed: tr("%s was removed from the call.", name)
        case .declined: tr("%s declined.", name)
        case .busy: tr("%s is in another call.", name)
        case .noAnswer: tr("%s did not answer.", name)
        case .notReached: tr("%s could not be reached: the call could not be sent through the relay.", name)
        }
    }

    /// Where a member stands, beside its name.
    public var phrase: String {
        switch self {
        case .inviting: tr("Calling…")
        case .unreachable: tr("Relay can’t be reached")
        case .ringing: tr("Ringing…")
        case .connecting: tr("Connecting…")
        case .connected: tr("In the call")
        case .reconnecting: tr("Reconnecting…")
        case .left: tr("Has left")
        case .removed: tr("Was removed")
        case .declined: tr("Has declined")
        case .busy: tr("Is in another call")
        case .noAnswer: tr("Has not answered")
        case .notReached: tr("Could not be reached")
        }
    }
}
