import CGLib
import GLibKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct EnvironmentTests {
    @Test func aMissingSettingsSchemaIsAnErrorAndNotAnEnd() {
        #expect(throws: GLibError.self) { try Settings(schema: "im.parley.NoSuchSchema") }
        #expect(throws: GLibError.self) { try Settings(schema: "im.parley.NoSuchSchema", directory: "/nonexistent") }
    }

    @Test func brokenResourceBundlesAreErrors() {
        #expect(throws: GLibError.self) { try Resources.register([1, 2, 3, 4]) }
        #expect(throws: GLibError.self) { try Resources.contents(of: "/im/parley/none") }
    }
}
