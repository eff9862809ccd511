#include "app/cli/actions.h"
#include "app/cli/commands/commands.h"
#include "app/cli/output_options.h"
#include "app/devices/target_edit.h"
#include "app/devices/target_file.h"
#include "app/devices/target_test.h"
#include "app/output/devices/target_page.h"
#include "app/tasks/base/interruption.h"

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace et::cli {
namespace {

using core::Result;
using devices::Target;

/// Manages the devices that models run on.
class TargetCommand final : public Command {
  public:
    TargetCommand() : Command("target", "Manage devices to run models on: add, list, remove and test them") {}

    [[nodiscard]] std::string details() const override {
        return "A target is a device with a name, for --on of run, bench, verify, gap, compare, generate and "
               "soak. With the addresses local:, ssh://user@host[:port] and adb:SERIAL, models run in "
               "et-agent, which is copied to the device on first use. command: supports everything else: "
               "--run is the command that runs a model there. Targets are stored in "
               "$XDG_CONFIG_HOME/et-inspect/targets.toml. ssh asks for no password and accepts no unknown "
               "host key: connect once by hand first.";
    }
    [[nodiscard]] std::vector<Glossary> glossaries() const override {
        return {actionGlossary(actions()),
                {.title = "Commands (address command:)",
                 .terms = {{"{from} {to}", "in --push and --pull: source and destination of the copy"},
                           {"{model}", "in --run: the program, on the device"},
                           {"{inputs}", "files of the inputs, separated by commas: raw bytes"},
                           {"{etdump}", "path of the trace to write"},
                           {"{debug}", "path of the debug buffer to write"},
                           {"{outputs}", "prefix of the outputs to write: {outputs}-0.bin, ..."}}}};
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {{"et-inspect target add pi ssh://pi@raspberrypi.local", "Add a board reachable by ssh"},
                {"et-inspect target add phone adb:R58M12ABCDE", "Add a phone with USB debugging"},
                {"et-inspect target test pi", "Connect and describe the device"},
                {"et-inspect bench model.pte --on pi", "Measure a model on it"}};
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override {
        return runAction(*this, actions(), action, arguments.size(), invocation);
    }

  private:
    static std::span<const Action<TargetCommand>> actions();

    [[nodiscard]] Result<tasks::ExitCode> add(const Invocation& invocation);
    [[nodiscard]] Result<tasks::ExitCode> list(const Invocation& invocation);
    [[nodiscard]] Result<tasks::ExitCode> remove(const Invocation& invocation);
    [[nodiscard]] Result<tasks::ExitCode> test(const Invocation& invocation);

    std::string action;
    std::vector<std::string> arguments;
    Target given;
    bool force = false;
    OutputFormat format = OutputFormat::Table;
};

std::span<const Action<TargetCommand>> TargetCommand::actions() {
    static constexpr std::array table{
        Action<TargetCommand>{"add", "NAME ADDRESS: add a target", 2, 2, "a name and an address",
                              &TargetCommand::add},
        Action<TargetCommand>{"list", "list targets", 0, 0, "nothing else", &TargetCommand::list},
        Action<TargetCommand>{"remove", "NAME: remove a target", 1, 1, "a name", &TargetCommand::remove},
        Action<TargetCommand>{"test", "TARGET: connect and describe the device", 1, 1, "a name or an address",
                              &TargetCommand::test},
    };
    return table;
}

void TargetCommand::addOptions(OptionList& options) {
    addActionArgument(options, actions(), action);
    options.text("ARGUMENT", arguments, "Name, address").takes("ARG");
    options.group("Adding");
    options.text("--folder DIR", given.folder,
                 "Folder of the agent on the device (default: its cache folder)");
    options.path("--ssh-config", given.sshConfig, "Configuration file of ssh (default: the user's)");
    options.path("--agent", given.agent, "Program to use as the agent (default: the installed one)");
    options.text("--push COMMAND", given.commands.push, "Command that copies {from} to {to} on the device");
    options.text("--run COMMAND", given.commands.run, "Command that runs {model} on the device");
    options.text("--pull COMMAND", given.commands.pull, "Command that copies {from} on the device to {to}");
    options.flag("--force", force, "Replace a target of the same name");
    options.group("Output");
    addFormat(options, format, {OutputFormat::Table, OutputFormat::Json}, "Output format of list and test");
}

Result<tasks::ExitCode> TargetCommand::add(const Invocation&) {
    ET_ASSIGN(const Target target, devices::namedTarget(arguments[0], arguments[1], given));
    ET_ASSIGN(const std::filesystem::path path, devices::targetFile());
    return fineAfter(devices::addTarget(path, target, force));
}

Result<tasks::ExitCode> TargetCommand::list(const Invocation& invocation) {
    ET_ASSIGN(const std::filesystem::path path, devices::targetFile());
    ET_ASSIGN(const std::vector<Target> targets, devices::readTargets(path));
    return fineAfter(invocation.console.out(format == OutputFormat::Json ? output::targetsJson(targets)
                                                                         : output::targetsText(targets)));
}

Result<tasks::ExitCode> TargetCommand::remove(const Invocation&) {
    ET_ASSIGN(const std::filesystem::path path, devices::targetFile());
    return fineAfter(devices::removeTarget(path, arguments[0]));
}

Result<tasks::ExitCode> TargetCommand::test(const Invocation& invocation) {
    ET_ASSIGN(const Target target, devices::findTarget(arguments[0]));
    const tasks::InterruptionGuard guard;
    ET_ASSIGN(const devices::TargetTest shown,
              devices::testTarget(target, &tasks::InterruptionGuard::requested()));
    return fineAfter(invocation.console.out(format == OutputFormat::Json
                                                ? output::targetTestJson(target, shown)
                                                : output::targetTestText(target, shown)));
}

}  // namespace

const CommandFactory makeTargetCommand = newCommand<TargetCommand>;

}  // namespace et::cli
