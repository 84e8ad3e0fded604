import Foundation
import Testing

@testable import DesktopApplication

/// What is said of a link that nobody has opened yet.
@Suite(.timeLimit(.minutes(5))) struct InvitationTextTests {
    private func contact(_ link: String?) -> ContactItem {
        ContactItem(id: "1", name: "Hilda", isTestCall: false, isConnected: false, invitation: link)
    }

    @Test func `for whom it is stands there only if that was said`() {
        var item = contact("simplex:/invitation")
        #expect(!InvitationText.lines(item).contains { $0.contains("Hilda") })
        item.isNamedHere = true
        #expect(InvitationText.lines(item).first == "For: Hilda")
    }

    @Test func `how far it reaches follows from its relay`() {
        func reach(_ host: String) -> String? {
            let key = String(repeating: "A", count: 43)
            let hash = "LcJUMfVhwD8yxjAiSaDzzGF3-kLG4Uh0Fl_ZIjrRwjI"
            let link = "simplex:/i#\(String(repeating: "A", count: 32))/\(key)?h=\(host)&c=\(hash)"
            return InvitationText.lines(contact(link)).last
        }
        #expect(reach("127.0.0.1") == "It can be opened on this computer only.")
        #expect(reach("desk.local") == "It can be opened in the same network only.")
        #expect(reach("relay.example.org") == "It can be opened from everywhere.")
    }

    @Test func `when it was made stands there and in the row, where that is known`() {
        var item = contact("simplex:/invitation")
        #expect(InvitationText.lines(item).count == 1)
        #expect(ContactPresentation(item).subtitle == "Waiting for somebody to open your link")
        let date = Date(timeIntervalSince1970: 1_000_000_000)
        item.invitedAt = date
        #expect(InvitationText.lines(item).first == "Made: " + ShortDate.text(date))
        #expect(ContactPresentation(item).subtitle.hasSuffix(" · " + ShortDate.text(date)))
    }
}
