import DesktopApplication

Program.leave(Program.run(Array(CommandLine.arguments.dropFirst())))
