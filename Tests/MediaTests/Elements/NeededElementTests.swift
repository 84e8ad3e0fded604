import CGStreamer
import Testing

@testable import Media

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

    @Test func `GStreamer knows every element and device provider of the list`() throws {
        try MediaRuntime.start()
        for element in NeededElement.all {
            let factory = gst_element_factory_find(element.name)
            let provider = gst_device_provider_factory_find(element.name)
            defer {
                factory.map { gst_object_unref(UnsafeMutableRawPointer($0)) }
                provider.map { gst_object_unref(UnsafeMutableRawPointer($0)) }
            }
            #expect(factory != nil || provider != nil, "\(element.name) is missing")
        }
    }
}
