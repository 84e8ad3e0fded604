import Foundation
import PackagePlugin

/// Compiles `resources/parley.gresource.xml` and embeds the bundle in the program as one base64 string, so that it is found
/// wherever the program runs from: the build folder, a test or an installed system.
@main struct EmbedResources: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let package = context.package.directoryURL
        let resources = package.appending(path: "resources")
        let icons = package.appending(path: "data/icons")
        let documents = package.appending(path: "docs")
        let list = resources.appending(path: "parley.gresource.xml")
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedResources.swift")
        let script = """
            set -e
            glib-compile-resources --sourcedir="$1" --sourcedir="$2" --sourcedir="$5" --target="$4.gresource" "$3"
            printf '/// The compiled resource bundle in base64.\\nlet embeddedResources: StaticString = "%s"\\n' \
            "$(base64 -w0 "$4.gresource")" > "$4"
            """
        return [
            .buildCommand(
                displayName: "Embedding resources",
                executable: URL(fileURLWithPath: "/bin/sh"),
                arguments: [
                    "-c", script, "sh", resources.path(percentEncoded: false), icons.path(percentEncoded: false),
                    list.path(percentEncoded: false), output.path(percentEncoded: false),
                    documents.path(percentEncoded: false),
                ],
                inputFiles: files(below: resources) + files(below: icons)
                    + files(below: documents.appending(path: "guide")),
                outputFiles: [output])
        ]
    }

    private func files(below folder: URL) -> [URL] {
        let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.isRegularFileKey])
        return (all?.compactMap { $0 as? URL } ?? [])
            .filter { (try? $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true }
            .sorted { $0.path < $1.path }
    }
}
