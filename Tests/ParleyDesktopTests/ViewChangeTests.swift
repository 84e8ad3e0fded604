import Testing

@testable import DesktopApplication

/// What is said when the person has changed how a call is shown.
@Suite(.timeLimit(.minutes(5))) struct ViewChangeTests {
    @Test func `each change has a sentence of its own`() {
        let corners = PreviewPlacement.Corner.allCases.map(ViewChange.moved)
        let pictures = [PictureArrangement.Picture.own, .theirCamera, .theirScreen].map {
            ViewChange.swapped($0, name: "Ada")
        }
        let changes =
            corners + pictures
            + [.filled(true), .filled(false), .zoomed(1), .zoomed(1.25), .fullScreen(true), .fullScreen(false)]
        #expect(Set(changes.map(\.sentence)).count == changes.count)
    }

    @Test func `a zoom is said in percent, and its end as the whole screen`() {
        #expect(ViewChange.zoomed(1.5625).sentence == "The screen is enlarged to 156 %")
        #expect(ViewChange.zoomed(1).sentence == "The whole screen is shown")
    }

    @Test func `whose picture is large is said with their name`() {
        #expect(ViewChange.swapped(.theirCamera, name: "Ada").sentence == "Ada’s picture is shown large")
        #expect(ViewChange.swapped(.theirScreen, name: "Ada").sentence == "Ada’s screen is shown large")
    }
}
