import Agent
import Parley

extension AccountNotice: Worded {
    public var sentence: String {
        switch self {
        case .removed(let name): tr("%s removed you from their contacts.", Contact.shown(name))
        case .renamed(let former, let name): tr("%1$s now calls themselves %2$s.", Contact.shown(former), name)
        case .codeChanged(let name):
            tr(
                "The security code with %s has changed; the one you compared holds no longer. Compare it again.",
                Contact.shown(name))
        case .routing(.directForWantOfSupport, let host):
            tr("The relay %s can't be reached through your own relays, so it sees this machine's address.", host)
        case .routing(.directForWantOfProxy, let host):
            tr("Your own relays don't forward messages, so the relay %s sees this machine's address.", host)
        case .routing(.distrusted(let proxy), let host):
            tr(
                "The relay %1$s showed a wrong key or a forged answer for the relay %2$s; it was not believed.", proxy,
                host)
        case .callCutOff(let name):
            tr("The call with %s was cut off because Parley ended unexpectedly.", Contact.shown(name))
        case .messagesNotKept(let name):
            tr("%s writes more messages than Parley keeps; some were not kept.", Contact.shown(name))
        case .notInvited(let name):
            tr("%s was not invited: the host of the call has taken in nobody else.", Contact.shown(name))
        case .testCallUnavailable(let cause): tr("The test call is not available: %s", cause.sentence)
        }
    }
}

extension SettingsLoss: Worded {
    public var sentence: String {
        switch self {
        case .empty: tr("The profile's settings were empty: name its relays, devices and private routing again.")
        case .damaged(let file):
            tr("The profile's settings were damaged and lie in %s: name its relays, devices and routing again.", file)
        }
    }
}

extension StoreKeyNotice: Worded {
    public var sentence: String {
        tr(
            """
            %1$s The key of this profile lies in the file %2$s beside its store: whoever can read the folder can open the \
            profile.
            """, keyring?.sentence ?? tr("There is no keyring within reach."), file)
    }
}

extension MissedCall: Worded {
    public var sentence: String {
        switch hindrance {
        case nil: tr("You missed a call from %s.", contact.shownName)
        case .otherCalls: tr("%s called while you were in another call.", contact.shownName)
        case .busyMode: tr("%s called while you were not taking calls.", contact.shownName)
        }
    }
}

extension IntegrityProblem {
    /// What a person reads.
    /// - Parameter name: The contact's name.
    public func sentence(naming name: String) -> String {
        let name = Contact.shown(name)
        return switch self {
        case .missing(let count):
            tr(
                "A message of %1$s's is missing: a relay has dropped it.",
                plural: "%2$s messages of %1$s's are missing: a relay has dropped them.", count: Int(clamping: count),
                name, count)
        case .repeated: tr("An old message of %s's came again and was not used.", name)
        case .altered: tr("The messages of %s's don't follow one another; compare your security codes.", name)
        }
    }
}

extension EncryptionState {
    /// What a person reads.
    /// - Parameter name: The contact's name.
    public func sentence(naming name: String) -> String {
        let name = Contact.shown(name)
        return switch self {
        case .intact: tr("Messages with %s can be read again; the security code is another one now.", name)
        case .damaged: tr("Messages with %s can't be read.", name)
        case .repairing: tr("New keys are being agreed with %s.", name)
        }
    }
}
