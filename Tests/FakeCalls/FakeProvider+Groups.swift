import DesktopApplication
import Glibc

// Pretended calls of several; `FAKE_CALLS_GROUPS` in the environment switches them on.
extension FakeProvider {
    var takesGroupCalls: Bool { get async { takesGroups } }

    func setTakesGroupCalls(_ isOn: Bool) async throws {
        takesGroups = isOn
        channel.yield(.takesGroupCalls(isOn, most: mostInGroupCall))
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

    func addPeople(_ contacts: [ContactItem], to call: any CallSession) async throws -> any GroupCallSession {
        FakeGroupCall(
            [call.contact] + contacts, kind: call.kind, isIncoming: false, pause: pause, talk: call,
            adding: contacts.map(\.name))
    }

    /// The contact of a call asks whether somebody is added to it, where `FAKE_CALLS_ASKS` is in the environment.
    func askSoon(in call: any CallSession) {
        guard getenv("FAKE_CALLS_ASKS") != nil else { return }
        Task { [pause, channel] in
            for await snapshot in call.states() {
                guard case .active = snapshot.stage else { continue }
                try? await Task.sleep(for: pause * 4)
                let contacts = [call.contact, FakeScript.mutes.contact]
                channel.yield(
                    .incoming(
                        FakeGroupCall(
                            contacts, kind: call.kind, isIncoming: true, pause: pause, talk: call,
                            adding: [FakeScript.mutes.contact.name])))
                return
            }
        }
    }

    func returnToGroupCall() async throws -> any GroupCallSession {
        channel.yield(.groupCallGoesOn(nil))
        return FakeGroupCall([FakeScript.shares.contact], kind: .video, isIncoming: false, pause: pause)
    }
}
