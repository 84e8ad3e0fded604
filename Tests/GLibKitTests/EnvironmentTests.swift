import CGLib
import GLibKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct EnvironmentTests {
    @Test func `a missing settings schema is an error and not an end`() {
        #expect(throws: GLibError.self) { try Settings(schema: "im.parley.NoSuchSchema") }
        #expect(throws: GLibError.self) { try Settings(schema: "im.parley.NoSuchSchema", directory: "/nonexistent") }
    }

    @Test func `broken resource bundles are errors`() {
        #expect(throws: GLibError.self) { try Resources.register([1, 2, 3, 4]) }
        #expect(throws: GLibError.self) { try Resources.contents(of: "/im/parley/none") }
    }
}
