import Testing

@testable import DesktopApplication

@Suite(.timeLimit(.minutes(5))) struct ContactPresentationTests {
    private func shown(
        _ condition: ContactItem.Condition = .fine, isTestCall: Bool = false, isConnected: Bool = true
    ) -> ContactPresentation {
        ContactPresentation(
            ContactItem(id: "a", name: "Ada", isTestCall: isTestCall, isConnected: isConnected, condition: condition))
    }

    @Test func `each condition is said`() {
        #expect(shown().subtitle == "You can call each other")
        #expect(shown(isConnected: false).subtitle == "Connecting…")
        #expect(shown(.relayUnreachable).subtitle == "A relay on the way can’t be reached")
        #expect(shown(.damaged).subtitle == "Their messages can’t be read; repair the connection")
        #expect(shown(.repairing).subtitle == "Repairing the connection…")
    }

    @Test func `who can't reach the person any more is not called, and a new link is offered`() {
        #expect(shown(.cutOff).subtitle == "What they send can’t reach you any more; only a new link helps")
        #expect(shown(.cutOff).needsNewLink && !shown(.cutOff).canCall && !shown(.cutOff).isWaiting)
        #expect(![.fine, .relayUnreachable, .damaged, .repairing, .gone].contains { shown($0).needsNewLink })
    }

    @Test func `who accepts no calls is not called`() {
        let contact = ContactItem(id: "a", name: "Ada", isTestCall: false, isConnected: true, allowsCalls: false)
        let shown = ContactPresentation(contact)
        #expect(!shown.canCall)
        #expect(shown.subtitle == "They don’t accept calls")
        #expect(shown.canVerify && shown.canRemove && self.shown().canCall)
    }

    @Test func `who is blocked is not called and can be unblocked`() {
        let conditions: [ContactItem.Condition] = [.fine, .relayUnreachable, .damaged, .repairing]
        for condition in conditions {
            var contact = ContactItem(
                id: "a", name: "Ada", isTestCall: false, isConnected: true, condition: condition)
            #expect(ContactPresentation(contact).canBlock && !ContactPresentation(contact).isBlocked)
            contact.isBlocked = true
            let shown = ContactPresentation(contact)
            #expect(!shown.canCall && !shown.canBlock && shown.isBlocked && shown.canRemove)
            #expect(shown.subtitle == "Blocked: their calls don’t ring here")
        }
        #expect(!shown(isTestCall: true).canBlock && !shown(isConnected: false).canBlock)
    }

    @Test func `a connected contact is not said to be there`() {
        for word in ["onnected", "nline", "vailable"] { #expect(!shown().subtitle.contains(word)) }
    }

    @Test func `a link that nobody has opened can be seen again`() {
        let open = ContactPresentation(
            ContactItem(id: "a", name: "New contact", isTestCall: false, isConnected: false, invitation: "link"))
        #expect(open.canShowLink && open.canRemove && open.isWaiting)
        #expect(open.subtitle == "Waiting for somebody to open your link")
        #expect(!shown(isConnected: false).canShowLink)
    }

    @Test func `a repair is offered only when something is broken`() {
        #expect(shown(.damaged).canRepair)
        #expect(![.fine, .relayUnreachable, .repairing].contains { shown($0).canRepair })
    }

    @Test func `another name is shown and offered`() {
        var contact = ContactItem(id: "a", name: "Ada", isTestCall: false, isConnected: true)
        #expect(!ContactPresentation(contact).canTakeName)
        contact.offeredName = "Countess"
        let shown = ContactPresentation(contact)
        #expect(shown.subtitle == "Now calls themselves Countess")
        #expect(shown.canTakeName)
        contact.condition = .damaged
        #expect(ContactPresentation(contact).subtitle == "Their messages can’t be read; repair the connection")
    }

    @Test func `who has gone is said to have gone and is not waited for`() {
        let contact = shown(.gone, isConnected: false)
        #expect(contact.subtitle == "They have removed you from their contacts")
        #expect(!contact.isWaiting && !contact.canCall && !contact.canRetry)
        #expect(contact.canRemove)
    }

    @Test func `a link that failed says why and offers to try again where that is of use`() {
        let contact = shown(.failed("The link was already used.", canRetry: true), isConnected: false)
        #expect(contact.subtitle == "The link was already used.")
        #expect(contact.canRetry && !contact.isWaiting)
        #expect(!shown(.failed("No.", canRetry: false), isConnected: false).canRetry)
    }

    @Test func `a contact that is still connecting can only be removed`() {
        let contact = shown(isConnected: false)
        #expect([contact.canCall, contact.canVerify, contact.canRepair] == [false, false, false])
        #expect(contact.canRemove && contact.isWaiting)
    }

    @Test func `the test call has no menu`() {
        let contact = shown(isTestCall: true)
        #expect([contact.canVerify, contact.canRepair, contact.canRemove] == [false, false, false])
    }
}

@Suite(.timeLimit(.minutes(5))) struct RelayPresentationTests {
    private func relay(_ host: String, _ state: RelayItem.State, isChosen: Bool = true) -> RelayItem {
        RelayItem(address: "smp://a2V5@\(host)", isChosen: isChosen, state: state)
    }

    @Test func `the line is about the worst chosen relay`() {
        let lost = relay("lost.invalid", .unreachable("No answer."))
        #expect(RelayPresentation.line([relay("a", .connected), lost]) == "The relay lost.invalid can’t be reached")
        #expect(
            RelayPresentation.line([relay("a", .connected), relay("b", .connecting)]) == "Connecting to the relay…")
        #expect(RelayPresentation.line([relay("a", .connected)]) == nil)
        #expect(RelayPresentation.line([relay("a", .unreachable("No answer."), isChosen: false)]) == nil)
    }

    @Test func `a chosen relay that is out of reach can be tried again`() {
        #expect(RelayPresentation.canRetry([relay("a", .connected), relay("b", .unreachable("No answer."))]))
        #expect(!RelayPresentation.canRetry([relay("a", .connected), relay("b", .connecting)]))
        #expect(!RelayPresentation.canRetry([relay("b", .unreachable("No answer."), isChosen: false)]))
    }

    @Test func `a relay of old mailboxes says so`() {
        #expect(
            RelayPresentation.subtitle(relay("a", .connected, isChosen: false)) == "Old mailboxes only · Connected")
        #expect(RelayPresentation.subtitle(relay("a", .unreachable("No answer."))) == "No answer.")
        #expect(RelayPresentation.title(relay("a.invalid:5223", .connected)) == "a.invalid:5223")
    }
}
