import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct NeededElementTests {
    @Test func `every line of the list is read and no element is named twice`() {
        #expect(NeededElement.all.count == NeededElement.lines.count)
        #expect(Set(NeededElement.all.map(\.name)).count == NeededElement.all.count)
        #expect(Set(NeededElement.all.map(\.use)) == Set(NeededElement.Use.allCases))
    }

    @Test func `a line has five columns and a known use`() throws {
        let element = try #require(NeededElement(line: "portal  pipewiresrc  gstreamer1.0-pipewire a-fedora an-arch"))
        #expect(element.use == .portal)
        #expect(element.name == "pipewiresrc")
        #expect(element.debianPackage == "gstreamer1.0-pipewire")
        #expect(element.fedoraPackage == "a-fedora")
        #expect(element.archPackage == "an-arch")
        #expect(NeededElement(line: "portal pipewiresrc gstreamer1.0-pipewire a-fedora") == nil)
        #expect(NeededElement(line: "portal pipewiresrc gstreamer1.0-pipewire a-fedora an-arch more") == nil)
        #expect(NeededElement(line: "window pipewiresrc gstreamer1.0-pipewire a-fedora an-arch") == nil)
    }
}
