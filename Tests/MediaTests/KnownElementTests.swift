import CGStreamer
import MediaRules
import Testing

@testable import Media

@Suite(.timeLimit(.minutes(5))) struct KnownElementTests {
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

    @Test func `nothing is missing where the tests run`() throws {
        try MediaRuntime.start()
        #expect(MediaRuntime.missing(for: Set(NeededElement.Use.allCases)) == [])
    }
}
