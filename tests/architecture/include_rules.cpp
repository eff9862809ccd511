#include "tests/architecture/include_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace et::architecture {
namespace {

constexpr std::string_view everything = "*";
constexpr std::string_view generatedEnding = "_generated.h";
constexpr std::string_view schemaPart = "/schema/";
constexpr std::string_view detailPart = "/detail/";

/// Folders whose subfolders are views: a view may include the files directly in the folder, and its own.
constexpr std::array<std::string_view, 2> houses{"visualizers/", "app/studio/"};
/// Views that all views of their folder may include, and that include none of them.
constexpr std::array<std::string_view, 1> sharedPanels{"visualizers/toolkit/"};
/// Files directly in such a folder that include its views: they list them, or are composed of them.
constexpr std::array<std::string_view, 1> panelLists{"app/studio/panels.cpp"};

const ArrowRule* ruleFor(std::string_view path) {
    const ArrowRule* best = nullptr;
    for (const ArrowRule& rule : arrowRules()) {
        if (path.starts_with(rule.from) && (best == nullptr || rule.from.size() > best->from.size())) {
            best = &rule;
        }
    }
    return best;
}

/// Returns the folder of the format reader, "runtime/program" for "runtime/program/schema/x_generated.h".
std::string_view ownerOf(std::string_view path, std::string_view part) {
    const std::size_t at = path.find(part);
    return at == std::string_view::npos ? std::string_view() : path.substr(0, at + 1);
}

/// True if a file belongs to the reader of a format, or to its writer if that has a separate folder.
bool knowsFormat(std::string_view from, std::string_view generated) {
    constexpr std::string_view programReader = "runtime/program/";
    constexpr std::string_view programWriter = "runtime/builder/";
    const std::string_view reader = ownerOf(generated, schemaPart);
    return from.starts_with(reader) || (reader == programReader && from.starts_with(programWriter));
}

std::string_view houseOf(std::string_view path) {
    const auto* const found =
        std::ranges::find_if(houses, [&](std::string_view house) { return path.starts_with(house); });
    return found == houses.end() ? std::string_view() : *found;
}

/// Returns "visualizers/timeline/" for a file in that view; "" for a file outside all views.
std::string_view panelOf(std::string_view path) {
    const std::size_t end = path.find('/', houseOf(path).size());
    return houseOf(path).empty() || end == std::string_view::npos ? std::string_view()
                                                                  : path.substr(0, end + 1);
}

/// True if a file includes from another view of the same folder.
bool looksIntoPanel(std::string_view from, std::string_view to) {
    const bool sameHouse = !houseOf(from).empty() && houseOf(from) == houseOf(to);
    return sameHouse && !panelOf(to).empty() && panelOf(from) != panelOf(to) &&
           !std::ranges::contains(panelLists, from) && !std::ranges::contains(sharedPanels, panelOf(to));
}

bool isTest(std::string_view path) {
    return path.starts_with("tests/");
}

bool isPrivateSource(std::string_view path) {
    return path.ends_with(".cpp") || path.contains(detailPart);
}

bool isQt(const Include& include) {
    const std::string_view target = include.target;
    return target.size() > 1 && target[0] == 'Q' &&
           (target.starts_with("Qt") || (target[1] >= 'A' && target[1] <= 'Z'));
}

/// True if the include names one of the project's folders, however it is spelled.
bool isOurs(const Include& include) {
    const std::size_t slash = include.target.find('/');
    const std::string folder = include.target.substr(0, slash == std::string::npos ? 0 : slash + 1);
    return !folder.empty() && std::ranges::any_of(arrowRules(), [&](const ArrowRule& rule) {
        return rule.from.starts_with(folder);
    });
}

bool arrowAllowed(std::string_view from, std::string_view to) {
    const ArrowRule* rule = ruleFor(from);
    if (rule == nullptr) {
        return false;
    }
    const bool all = std::ranges::find(rule->to, everything) != rule->to.end();
    return (all && !isTest(to)) || startsWithAny(to, rule->to);
}

/// Returns the violation of one include between project files; empty if there is none.
std::optional<std::string> wrongArrow(std::string_view from, std::string_view to) {
    if (!arrowAllowed(from, to)) {
        return "not an arrow of the design";
    }
    if (looksIntoPanel(from, to)) {
        return "panels do not know one another";
    }
    if (isTest(from)) {
        return std::nullopt;
    }
    if (to.ends_with(generatedEnding) && !(knowsFormat(from, to) && isPrivateSource(from))) {
        return "generated headers stay inside the reader and the writer of their format";
    }
    if (to.contains(detailPart) && !from.starts_with(ownerOf(to, detailPart))) {
        return "what lies in detail/ is private to its folder";
    }
    return std::nullopt;
}

std::optional<std::string> wrongInclude(const SourceFile& file, const Include& include,
                                        const FileExists& exists) {
    if (isQt(include)) {
        return startsWithAny(file.path, qtFolders()) ? std::nullopt
                                                     : std::optional<std::string>("Qt stays in the studio");
    }
    if (include.quoted && include.target.ends_with(".moc")) {
        return std::nullopt;  // generated by moc from the file itself
    }
    if (!isOurs(include)) {
        return include.quoted ? std::optional<std::string>("quoted includes are rooted at the repository")
                              : std::nullopt;
    }
    if (!include.quoted) {
        return "our own headers are included in quotes";
    }
    if (!include.target.ends_with(generatedEnding) && !exists(include.target)) {
        return "no such file";
    }
    return wrongArrow(file.path, include.target);
}

/// A layer of folders, which must not include each other. Unused elements are empty.
using Floor = std::array<std::string_view, 8>;

/// Layers inside inspector/, lowest first.
constexpr std::array<Floor, 13> inspectorFloors{{
    {"inspector/format/", "inspector/names/", "inspector/tensor_files/", "inspector/tokenizers/"},
    {"inspector/media/", "inspector/plot/"},
    {"inspector/external_data/", "inspector/join/"},
    {"inspector/profiles/"},
    {"inspector/session/"},
    {"inspector/events/", "inspector/comparison/", "inspector/program_diff/", "inspector/numeric_gap/",
     "inspector/memory/"},
    {"inspector/delegates/", "inspector/generate/", "inspector/trend/"},
    {"inspector/roofline/"},
    {"inspector/graph/", "inspector/source/", "inspector/findings/", "inspector/size/", "inspector/fit/",
     "inspector/tensors/"},
    {"inspector/explain/"},
    {"inspector/store/database/"},
    {"inspector/store/postgres/", "inspector/store/session/"},
    {"inspector/store/"},
}};

/// Layers inside app/tasks/, lowest first.
constexpr std::array<Floor, 13> taskFloors{{
    {"app/tasks/base/"},
    {"app/tasks/sandbox/", "app/tasks/graph/", "app/tasks/size/", "app/tasks/tensors/", "app/tasks/tokenize/",
     "app/tasks/plugin/", "app/tasks/sanitize/"},
    {"app/tasks/model/"},
    {"app/tasks/counters/"},
    {"app/tasks/run/", "app/tasks/train/"},
    {"app/tasks/bundle/", "app/tasks/compare/", "app/tasks/fit/", "app/tasks/gap/", "app/tasks/generate/",
     "app/tasks/verify/", "app/tasks/pipeline/"},
    {"app/tasks/debug/", "app/tasks/explain/", "app/tasks/session/", "app/tasks/trend/"},
    {"app/tasks/machine/"},
    {"app/tasks/rewrite/"},
    {"app/tasks/soak/"},
    {"app/tasks/reduce/", "app/tasks/shapes/"},
    {"app/tasks/lab/"},
    {"app/tasks/probe/"},
}};

/// Layers inside backends/xnnpack/ of the code that runs delegates, lowest first.
constexpr std::array<Floor, 5> xnnpackFloors{{
    {"backends/xnnpack/payload/"},
    {"backends/xnnpack/nodes/"},
    {"backends/xnnpack/format/", "backends/xnnpack/library/"},
    {"backends/xnnpack/custom_kernels/"},
    {"backends/xnnpack/delegate/"},
}};

/// Adds a rule for each folder of the layers: itself, all layers below its own, and `below`.
void addFloors(std::vector<ArrowRule>& rules, std::span<const Floor> floors,
               std::vector<std::string_view> below) {
    for (const Floor& row : floors) {
        const std::vector<std::string_view> lower = below;
        for (const std::string_view folder : row) {
            if (!folder.empty()) {
                rules.push_back({.from = folder, .to = lower});
                rules.back().to.push_back(folder);
                below.push_back(folder);
            }
        }
    }
}

/// Includes that each of these layers may have besides lower ones.
constexpr std::array<std::string_view, 7> xnnpackMayInclude{"backends/payload_bytes.h",
                                                            "backends/payload_changes.h",
                                                            "backends/payload_contents.h",
                                                            "backends/payload_data.h",
                                                            "backends/stored_constants.h",
                                                            "backends/xnnpack/schema/",
                                                            "runtime/"};

std::vector<ArrowRule> makeRules() {
    const std::vector<std::string_view> belowApp{"inspector/", "backends/",        "etdump/",
                                                 "etrecord/",  "bundled_program/", "runtime/"};
    const auto with = [&](std::vector<std::string_view> own) {
        own.insert(own.end(), belowApp.begin(), belowApp.end());
        return own;
    };
    std::vector<ArrowRule> rules{
        {"runtime/core/", {"runtime/core/"}},
        {"runtime/archive/", {"runtime/core/", "runtime/archive/"}},
        {"runtime/native/", {"runtime/core/", "runtime/archive/", "runtime/native/"}},
        {"runtime/program/", {"runtime/core/", "runtime/program/"}},
        {"runtime/kernels/", {"runtime/core/", "runtime/kernels/"}},
        {"runtime/executor/", {"runtime/"}},
        {"runtime/builder/", {"runtime/core/", "runtime/program/", "runtime/builder/"}},
        {"examples/", {"runtime/", "examples/"}},
        {"etdump/", {"etdump/", "runtime/"}},
        {"etrecord/", {"etrecord/", "runtime/"}},
        {"bundled_program/", {"bundled_program/", "runtime/"}},
        {"backends/", {"backends/", "runtime/"}},
        {"backends/reference/", {"backends/", "etrecord/", "runtime/"}},
        {"backends/lowering/", {"backends/", "etrecord/", "runtime/"}},
        {"backends/interpreted/", {"backends/", "etrecord/", "runtime/"}},
        {"backends/mlx/lower/", {"backends/", "etrecord/", "runtime/"}},
        {"backends/tosa/lower/", {"backends/", "etrecord/", "runtime/"}},
        {"backends/native/lower/", {"backends/native/", "backends/reference/", "etrecord/", "runtime/"}},
        {"backends/xnnpack/lower/",
         {"backends/lowering/", "backends/reference/", "backends/xnnpack/format/", "backends/xnnpack/lower/",
          "backends/xnnpack/nodes/", "backends/xnnpack/payload/", "etrecord/", "runtime/"}},
        {"backends/xnnpack/quantize/",
         {"backends/lowering/", "backends/reference/", "backends/xnnpack/lower/",
          "backends/xnnpack/quantize/", "etrecord/", "runtime/"}},
        {"visualizers/", with({"visualizers/"})},
        // Workflows do not depend on front ends, and front ends do not depend on each other. The command line
        // starts in milliseconds, so it must not depend on the studio.
        {"app/samples/", with({"app/samples/"})},
        // The agent runs on devices: above the runtime it only uses the wire protocol and a checksum.
        {"app/wire/", {"app/wire/", "runtime/"}},
        {"app/expression/", {"app/expression/", "runtime/"}},
        {"app/single_file/", {"app/single_file/", "runtime/core/single_file.h"}},
        {"app/agent/",
         {"app/agent/", "app/expression/", "app/wire/", "backends/", "runtime/",
          "inspector/format/checksum.h"}},
        {"app/devices/", with({"app/devices/", "app/expression/", "app/wire/"})},
        {"app/output/", with({"app/output/", "app/tasks/", "app/devices/", "app/expression/", "app/wire/"})},
        {"app/cli/", with({"app/cli/", "app/serve/server.h", "app/output/", "app/tasks/", "app/devices/",
                           "app/expression/", "app/wire/", "app/samples/"})},
        {"app/serve/",
         with({"app/serve/", "app/output/", "app/tasks/", "app/devices/", "app/expression/", "app/wire/"})},
        {"app/embed/", with({"app/embed/", "app/tasks/", "app/devices/", "app/expression/", "app/wire/"})},
        {"app/studio/", with({"app/studio/", "app/output/", "app/tasks/", "app/devices/", "app/wire/",
                              "app/samples/", "visualizers/"})},
        {"app/layout/", with({"app/layout/"})},
        // Benchmarks and tests use the same window actions.
        {"benchmarks/", {everything, "tests/support/", "tests/studio/window_acts.h"}},
        {"tests/", {everything, "tests/"}},
    };
    addFloors(rules, inspectorFloors, {"backends/", "etdump/", "etrecord/", "bundled_program/", "runtime/"});
    addFloors(rules, taskFloors, with({"app/devices/", "app/expression/", "app/wire/"}));
    addFloors(rules, xnnpackFloors, {xnnpackMayInclude.begin(), xnnpackMayInclude.end()});
    return rules;
}

}  // namespace

std::span<const ArrowRule> arrowRules() {
    static const std::vector<ArrowRule> rules = makeRules();
    return rules;
}

std::span<const std::string_view> qtFolders() {
    static constexpr std::array<std::string_view, 6> folders{"visualizers/",
                                                             "app/studio/",
                                                             "tests/visualizers/",
                                                             "tests/studio/",
                                                             "tests/tools/window_hands/",
                                                             "benchmarks/studio/"};
    return folders;
}

bool startsWithAny(std::string_view path, std::span<const std::string_view> prefixes) {
    return std::ranges::any_of(prefixes, [&](std::string_view prefix) { return path.starts_with(prefix); });
}

std::vector<std::string> includeViolations(const SourceFile& file, const FileExists& exists) {
    std::vector<std::string> violations;
    for (const Include& include : includesOf(file.text)) {
        if (const auto wrong = wrongInclude(file, include, exists)) {
            violations.push_back(
                fmt::format("{}:{}: includes {}: {}", file.path, include.line, include.target, *wrong));
        }
    }
    return violations;
}

}  // namespace et::architecture
