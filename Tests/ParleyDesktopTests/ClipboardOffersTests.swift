import TestSupport
import Testing

@testable import DesktopApplication

/// Which texts of the clipboard are offered to be opened.
@Suite(.timeLimit(.minutes(5))) struct ClipboardOffersTests {
    private func isLink(_ text: String) -> Bool { text.hasPrefix("simplex:") && !text.contains(" ") }

    @Test func `a link is offered once`() {
        var offers = ClipboardOffers()
        #expect(offers.newLink(in: " simplex:/a#b\n", isLink: isLink) == "simplex:/a#b")
        #expect(offers.newLink(in: "simplex:/a#b", isLink: isLink) == nil)
        #expect(offers.newLink(in: "simplex:/a#c", isLink: isLink) == "simplex:/a#c")
        #expect(offers.newLink(in: "simplex:/a#b", isLink: isLink) == nil)
    }

    @Test func `what was opened otherwise is not offered`() {
        var offers = ClipboardOffers()
        offers.note("simplex:/a#b")
        #expect(offers.newLink(in: "simplex:/a#b", isLink: isLink) == nil)
    }

    @Test func `what is no link, or too long, is neither offered nor remembered`() {
        var offers = ClipboardOffers()
        for text in ["", "hello", "see simplex:/a#b", "simplex:" + String(repeating: "a", count: 70_000)] {
            #expect(offers.newLink(in: text, isLink: isLink) == nil)
        }
        #expect(offers == ClipboardOffers())
    }

    @Test func `only so many links are remembered`() {
        var offers = ClipboardOffers()
        for number in 0...ClipboardOffers.maximumCount { offers.note("simplex:/a#\(number)") }
        #expect(offers.newLink(in: "simplex:/a#0", isLink: isLink) != nil)
        #expect(offers.newLink(in: "simplex:/a#\(ClipboardOffers.maximumCount)", isLink: isLink) == nil)
    }
}
