import Testing

@testable import DesktopApplication

@Suite(.timeLimit(.minutes(5))) struct ContactPresentationTests {
    private func shown(
        _ condition: ContactItem.Condition = .fine, isTestCall: Bool = false, isConnected: Bool = true
    ) -> ContactPresentation {
        ContactPresentation(
            ContactItem(id: "a", name: "Ada", isTestCall: isTestCall, isConnected: isConnected, condition: condition))
    }

    @Test func eachConditionIsSaid() {
        #expect(shown().subtitle == "You can call each other")
        #expect(shown(isConnected: false).subtitle == "Connecting…")
        #expect(shown(.relayUnreachable).subtitle == "A relay on the way can’t be reached")
        #expect(shown(.damaged).subtitle == "Their messages can’t be read; repair the connection")
        #expect(shown(.repairing).subtitle == "Repairing the connection…")
    }

    @Test func whoAcceptsNoCallsIsNotCalled() {
        let contact = ContactItem(id: "a", name: "Ada", isTestCall: false, isConnected: true, allowsCalls: false)
        let shown = ContactPresentation(contact)
        #expect(!shown.canCall)
        #expect(shown.subtitle == "They don’t accept calls")
        #expect(shown.canVerify && shown.canRemove && self.shown().canCall)
    }

    @Test func aConnectedContactIsNotSaidToBeThere() {
        for word in ["onnected", "nline", "vailable"] { #expect(!shown().subtitle.contains(word)) }
    }

    @Test func aLinkThatNobodyHasOpenedCanBeSeenAgain() {
        let open = ContactPresentation(
            ContactItem(id: "a", name: "New contact", isTestCall: false, isConnected: false, invitation: "link"))
        #expect(open.canShowLink && open.canRemove && open.isWaiting)
        #expect(open.subtitle == "Waiting for somebody to open your link")
        #expect(!shown(isConnected: false).canShowLink)
    }

    @Test func aRepairIsOfferedOnlyWhenSomethingIsBroken() {
        #expect(shown(.damaged).canRepair)
        #expect(![.fine, .relayUnreachable, .repairing].contains { shown($0).canRepair })
    }

    @Test func anotherNameIsShownAndOffered() {
        var contact = ContactItem(id: "a", name: "Ada", isTestCall: false, isConnected: true)
        #expect(!ContactPresentation(contact).canTakeName)
        contact.offeredName = "Countess"
        let shown = ContactPresentation(contact)
        #expect(shown.subtitle == "Now calls themselves Countess")
        #expect(shown.canTakeName)
        contact.condition = .damaged
        #expect(ContactPresentation(contact).subtitle == "Their messages can’t be read; repair the connection")
    }

    @Test func whoHasGoneIsSaidToHaveGoneAndIsNotWaitedFor() {
        let contact = shown(.gone, isConnected: false)
        #expect(contact.subtitle == "They have removed you from their contacts")
        #expect(!contact.isWaiting && !contact.canCall && !contact.canRetry)
        #expect(contact.canRemove)
    }

    @Test func aLinkThatFailedSaysWhyAndOffersToTryAgainWhereThatIsOfUse() {
        let contact = shown(.failed("The link was already used.", canRetry: true), isConnected: false)
        #expect(contact.subtitle == "The link was already used.")
        #expect(contact.canRetry && !contact.isWaiting)
        #expect(!shown(.failed("No.", canRetry: false), isConnected: false).canRetry)
    }

    @Test func aContactThatIsStillConnectingCanOnlyBeRemoved() {
        let contact = shown(isConnected: false)
        #expect([contact.canCall, contact.canVerify, contact.canRepair] == [false, false, false])
        #expect(contact.canRemove && contact.isWaiting)
    }

    @Test func theTestCallHasNoMenu() {
        let contact = shown(isTestCall: true)
        #expect([contact.canVerify, contact.canRepair, contact.canRemove] == [false, false, false])
    }
}

@Suite(.timeLimit(.minutes(5))) struct RelayPresentationTests {
    private func relay(_ host: String, _ state: RelayItem.State, isChosen: Bool = true) -> RelayItem {
        RelayItem(address: "smp://a2V5@\(host)", isChosen: isChosen, state: state)
    }

    @Test func theLineIsAboutTheWorstChosenRelay() {
        let lost = relay("lost.invalid", .unreachable("No answer."))
        #expect(RelayPresentation.line([relay("a", .connected), lost]) == "The relay lost.invalid can’t be reached")
        #expect(
            RelayPresentation.line([relay("a", .connected), relay("b", .connecting)]) == "Connecting to the relay…")
        #expect(RelayPresentation.line([relay("a", .connected)]) == nil)
        #expect(RelayPresentation.line([relay("a", .unreachable("No answer."), isChosen: false)]) == nil)
    }

    @Test func aChosenRelayThatIsOutOfReachCanBeTriedAgain() {
        #expect(RelayPresentation.canRetry([relay("a", .connected), relay("b", .unreachable("No answer."))]))
        #expect(!RelayPresentation.canRetry([relay("a", .connected), relay("b", .connecting)]))
        #expect(!RelayPresentation.canRetry([relay("b", .unreachable("No answer."), isChosen: false)]))
    }

    @Test func aRelayOfOldMailboxesSaysSo() {
        #expect(
            RelayPresentation.subtitle(relay("a", .connected, isChosen: false)) == "Old mailboxes only · Connected")
        #expect(RelayPresentation.subtitle(relay("a", .unreachable("No answer."))) == "No answer.")
        #expect(RelayPresentation.title(relay("a.invalid:5223", .connected)) == "a.invalid:5223")
    }
}
