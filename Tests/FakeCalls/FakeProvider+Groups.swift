import DesktopApplication

// Pretended calls of several; `FAKE_CALLS_GROUPS` in the environment switches them on.
extension FakeProvider {
    var takesGroupCalls: Bool { get async { takesGroups } }

    func setTakesGroupCalls(_ isOn: Bool) async throws {
        takesGroups = isOn
        channel.yield(.takesGroupCalls(isOn))
    }

    func callTogether(_ contacts: [ContactItem], kind: CallKind) async throws -> any GroupCallSession {
        let call = FakeGroupCall(contacts, kind: kind, isIncoming: false, pause: pause)
        // Others go on with it.
        call.onLeave = { [channel, log] in
            let record = FakeLog.ofSeveral(with: contacts, .random())
            log.add(record)
            channel.yield(.groupCallGoesOn(record.callID))
        }
        // Who calls back does so with others.
        if contacts.contains(where: { $0.id == FakeScript.callsBack.rawValue }) { ringTogether() }
        return call
    }

    func returnToGroupCall() async throws -> any GroupCallSession {
        channel.yield(.groupCallGoesOn(nil))
        return FakeGroupCall([FakeScript.shares.contact], kind: .video, isIncoming: false, pause: pause)
    }
}
