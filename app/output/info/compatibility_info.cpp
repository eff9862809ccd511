#include "app/output/info/compatibility_info.h"

#include "app/output/groups.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace et::output {
namespace {

using inspector::Compatibility;
using inspector::ReleaseLack;
using inspector::ReleaseSupport;
using inspector::ReleaseVerdict;

/// "since 1.5", "only in 1.0", "in 1.1 to 1.2".
std::string rangeText(const core::ReleaseRange& range) {
    if (range.last == core::Release::Newest) {
        return fmt::format("since {}", name(range.first));
    }
    return range.first == range.last ? fmt::format("only in {}", name(range.first))
                                     : fmt::format("in {} to {}", name(range.first), name(range.last));
}

std::string lackText(const ReleaseLack& lack) {
    return lack.in ? fmt::format("{} ({})", lack.subject, rangeText(*lack.in)) : lack.subject;
}

/// "No llama::x (since 1.5), llama::y (since 1.5): load_method() fails with OperatorMissing (0x14)".
std::string reasonsText(const ReleaseSupport& support, std::size_t longest) {
    Groups<std::string, std::string> byEffect;
    std::set<std::string> methods;
    for (const ReleaseLack& lack : support.lacks) {
        byEffect.add(lack.effect, lackText(lack));
        methods.insert(lack.methods.begin(), lack.methods.end());
    }
    std::string out;
    for (const auto& [effect, subjects] : byEffect.inOrder()) {
        const std::size_t shown = longest == 0 ? subjects.size() : std::min(longest, subjects.size());
        const std::vector<std::string> listed(subjects.begin(),
                                              subjects.begin() + static_cast<std::ptrdiff_t>(shown));
        out += fmt::format(
            "{}no {}{}: {}", out.empty() ? "" : "; ", fmt::join(listed, ", "),
            shown < subjects.size() ? fmt::format(" and {} more", subjects.size() - shown) : "", effect);
    }
    if (support.verdict == ReleaseVerdict::RunsPart) {
        out += fmt::format("; methods concerned: {}", fmt::join(methods, ", "));
    }
    return out;
}

Dict lackInfo(const ReleaseLack& lack) {
    return {{"kind", std::string(name(lack.kind))},
            {"name", lack.subject},
            {"first_release", lack.in ? Cell(std::string(name(lack.in->first))) : Cell()},
            {"last_release", lack.in ? Cell(std::string(name(lack.in->last))) : Cell()},
            {"effect", lack.effect},
            {"methods", listOf(lack.methods)}};
}

}  // namespace

Dict compatibilityRows(const Compatibility& compatibility, std::size_t longest) {
    Dict out{{"releases", listOf(compatibility.releases, [longest](const ReleaseSupport& support) {
                  return Dict{{"release", std::string(name(support.release))},
                              {"verdict", std::string(name(support.verdict))},
                              {"reasons", reasonsText(support, longest)}};
              })}};
    if (!compatibility.libraries.empty()) {
        out.emplace_back("kernel_libraries", fmt::format("{}", fmt::join(compatibility.libraries, ", ")));
    }
    if (!compatibility.application.empty()) {
        std::vector<std::string> subjects;
        for (const ReleaseLack& lack : compatibility.application) {
            subjects.push_back(lack.effect.empty() ? lack.subject
                                                   : fmt::format("{} ({})", lack.subject, lack.effect));
        }
        out.emplace_back("in_no_release",
                         fmt::format("{}: the application must add them", fmt::join(subjects, ", ")));
    }
    for (const std::string& note : compatibility.notes) {
        out.emplace_back("note", note);
    }
    return out;
}

Dict compatibilityInfo(const Compatibility& compatibility) {
    return {{"releases", listOf(compatibility.releases,
                                [](const ReleaseSupport& support) {
                                    return Dict{{"release", std::string(name(support.release))},
                                                {"verdict", std::string(name(support.verdict))},
                                                {"lacks", listOf(support.lacks, lackInfo)}};
                                })},
            {"kernel_libraries", listOf(compatibility.libraries)},
            {"in_no_release", listOf(compatibility.application, lackInfo)},
            {"notes", listOf(compatibility.notes)}};
}

}  // namespace et::output
