/// What Parley's service is called on the session bus.
package enum ParleyService {
    /// Its name.
    package static let name = "im.parley.Parley"
    /// The application's object.
    package static let path = "/im/parley/Parley"
    /// The calls' object; each call is one below.
    package static let calls = "/im/parley/Parley/calls"
}
