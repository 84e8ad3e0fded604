import Foundation

extension NetworkPlan {
    /// The plans that come with Parley, part of the program: it may be moved anywhere.
    private static let files: [String: [UInt8]] = [
        "asymmetric": PackageResources.asymmetric_json, "bursts": PackageResources.bursts_json,
        "clean": PackageResources.clean_json, "crowd": PackageResources.crowd_json, "cut": PackageResources.cut_json,
        "drop": PackageResources.drop_json,
        "far": PackageResources.far_json, "lossy": PackageResources.lossy_json,
        "lossier": PackageResources.lossier_json, "mobile": PackageResources.mobile_json,
        "modem": PackageResources.modem_json,
        "narrow": PackageResources.narrow_json, "pair": PackageResources.pair_json,
        "plunge": PackageResources.plunge_json,
        "poor": PackageResources.poor_json,
        "route": PackageResources.route_json,
        "screen": PackageResources.screen_json, "screens": PackageResources.screens_json,
        "starved": PackageResources.starved_json,
        "thin": PackageResources.thin_json, "tight": PackageResources.tight_json,
        "variable": PackageResources.variable_json,
        "widen": PackageResources.widen_json, "wifi": PackageResources.wifi_json,
    ]

    /// The names of the plans that come with Parley.
    package static var names: [String] { files.keys.sorted() }

    /// A plan that comes with Parley.
    /// - Throws: `NetworkEmulationError.plan` when there is none of this name.
    package static func named(_ name: String) throws -> NetworkPlan {
        guard let json = files[name] else {
            throw NetworkEmulationError.plan("there is no plan \(name); there are \(names.joined(separator: ", "))")
        }
        return try NetworkPlan(json: Data(json))
    }
}
