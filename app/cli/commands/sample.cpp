#include "app/cli/commands/commands.h"
#include "app/cli/option_types.h"
#include "app/samples/sample_set.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

namespace et::cli {
namespace {

/// Writes files to try the other verbs on.
class SampleVerb final : public Verb {
  public:
    [[nodiscard]] std::string_view name() const override { return "sample"; }
    [[nodiscard]] std::string_view summary() const override {
        return "Make a model with its program, record and trace to try et-inspect on";
    }
    [[nodiscard]] std::vector<Glossary> glossaries() const override {
        Glossary sets{.title = "Sets", .terms = {}};
        for (const samples::SampleFacts& info : samples::sampleFacts()) {
            sets.terms.push_back({std::string(info.name), std::string(info.description)});
        }
        return {sets};
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {
            {"et-inspect sample conv_net -o samples", "Write the files to the folder samples and list them"},
            {"et-inspect --etdump samples/conv_net.etdp --etrecord samples/conv_net.etrecord",
             "Where the time went when its program ran just now"}};
    }

    void addOptions(CLI::App& app) override {
        std::vector<std::string> names;
        for (const std::string_view known : samples::sampleNames()) {
            names.emplace_back(known);
        }
        restrictTo(app.add_option("NAME", set, "The set to write"), names)->required();
        app.add_option("-o,--output", folder,
                       "Folder to write to, made if it is not there (default: this one)")
            ->type_name(folderValue)
            ->group("Output");
    }

    [[nodiscard]] core::Result<ExitCode> run(const Invocation& invocation) override {
        ET_ASSIGN(const auto paths, samples::writeSampleSet(set, folder));
        std::string text;
        for (const std::filesystem::path& path : paths) {
            text += path.string() + "\n";
        }
        ET_TRY(invocation.console.out(text));
        return ExitCode::Fine;
    }

  private:
    std::string set;
    std::filesystem::path folder = ".";
};

}  // namespace

std::unique_ptr<Verb> makeSampleVerb() {
    return std::make_unique<SampleVerb>();
}

}  // namespace et::cli
