#include "inspector/fit/compatibility.h"

#include "backends/known_backends.h"
#include "inspector/fit/error_codes.h"
#include "inspector/fit/fit.h"
#include "inspector/fit/kernel_use.h"
#include "inspector/fit/release_operators.h"
#include "runtime/executor/module_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

namespace et::inspector {
namespace {

using core::Release;
using core::ReleaseRange;

constexpr std::uint32_t notImplemented = 0x11;
constexpr std::uint32_t operatorMissing = 0x14;
constexpr std::uint32_t backendMissing = 0x20;

constexpr std::array<std::string_view, 5> verdictNames{"runs", "runs with additions", "runs in part",
                                                       "loads only", "does not load"};
constexpr std::array<std::string_view, 5> lackNames{"format", "feature", "backend", "payload", "operator"};

/// Everything that the methods of a program need, with its releases.
class Requirements {
  public:
    Requirements(const program::Program& from, std::span<const executor::Backend* const> describing)
        : program(from), backends(describing), data(from, {}) {}

    void addMethod(const program::Method& method) {
        const std::string methodName(method.name);
        if (computeNeeds(program, method).features.contains(Feature::Devices)) {
            need(LackKind::Feature, "tensors on other devices", ReleaseRange{.first = Release::V1_3},
                 "all tensors are placed in the memory of the CPU", methodName);
        }
        for (const OperatorUse& use : operatorsOf(method)) {
            const auto found = findReleasedOperator(use.name);
            if (found) {
                libraries.emplace(name(found->library));
                need(LackKind::Operator, use.name, found->releases,
                     "load_method() fails with " + errorCodeText(operatorMissing), methodName);
            } else {
                need(LackKind::Operator, use.name, std::nullopt, std::string(namespaceOrigin(use.name)),
                     methodName);
            }
        }
        for (const program::Delegate& delegate : method.delegates) {
            const auto releases = backends::releasesOf(delegate.backend);
            need(LackKind::Backend, std::string(delegate.backend), releases,
                 releases ? "load_method() fails with " + errorCodeText(backendMissing)
                          : std::string(backends::deviceOf(delegate.backend)),
                 methodName);
            addPayload(delegate, methodName);
        }
    }

    [[nodiscard]] std::vector<ReleaseLack> take() {
        std::vector<ReleaseLack> out;
        for (auto& [key, lack] : needs) {
            out.push_back(std::move(lack));
        }
        return out;
    }

    std::set<std::string> libraries;

  private:
    void need(LackKind kind, const std::string& subject, std::optional<ReleaseRange> in, std::string effect,
              const std::string& method) {
        ReleaseLack& lack = needs[{kind, subject}];
        lack.kind = kind;
        lack.subject = subject;
        lack.in = in;
        lack.effect = std::move(effect);
        lack.methods.insert(method);
    }

    void addPayload(const program::Delegate& delegate, const std::string& method) {
        const bool hasFeatures = std::ranges::contains(backends::payloadFeatures(), delegate.backend,
                                                       &backends::PayloadFeature::backend);
        const auto* const backend = executor::findBackend(backends, delegate.backend);
        if (!hasFeatures || backend == nullptr) {
            return;
        }
        const auto graph = backend->describe(delegate, data);
        if (!graph) {
            return;
        }
        for (const backends::PayloadFeature& feature : backends::payloadFeatures()) {
            if (feature.backend == delegate.backend && uses(*graph, feature)) {
                need(LackKind::Payload, fmt::format("{}: {}", feature.backend, feature.name),
                     ReleaseRange{.first = feature.since},
                     "load_method() fails, for example with " + errorCodeText(notImplemented), method);
            }
        }
    }

    static bool uses(const core::ModelGraph& graph, const backends::PayloadFeature& feature) {
        if (!feature.nodeKind.empty()) {
            return std::ranges::contains(graph.nodes(), feature.nodeKind, &core::GraphNode::kind);
        }
        return std::ranges::any_of(graph.values(), [&](const core::GraphValue& value) {
            return value.type.starts_with(feature.valueType);
        });
    }

    const program::Program& program;
    std::span<const executor::Backend* const> backends;
    executor::ModuleData data;
    std::map<std::pair<LackKind, std::string>, ReleaseLack> needs;
};

/// True for content of a payload whose backend is missing, too.
bool isImplied(const ReleaseLack& need, const std::vector<ReleaseLack>& lacks) {
    return need.kind == LackKind::Payload && std::ranges::any_of(lacks, [&](const ReleaseLack& lack) {
               return lack.kind == LackKind::Backend && need.subject.starts_with(lack.subject + ":");
           });
}

/// `needs` are ordered by kind.
ReleaseSupport supportOf(Release release, const std::vector<ReleaseLack>& needs, std::size_t methods) {
    ReleaseSupport out{.release = release};
    std::set<std::string> failing;
    bool isExtended = false;
    for (const ReleaseLack& need : needs) {
        isExtended = isExtended || !need.in;
        if (need.in && !need.in->contains(release) && !isImplied(need, out.lacks)) {
            out.lacks.push_back(need);
            failing.insert(need.methods.begin(), need.methods.end());
        }
    }
    out.verdict = !failing.empty() && failing.size() == methods ? ReleaseVerdict::Loads
                  : !failing.empty()                            ? ReleaseVerdict::RunsPart
                  : isExtended                                  ? ReleaseVerdict::RunsAdded
                                                                : ReleaseVerdict::Runs;
    return out;
}

constexpr std::string_view assumedNote =
    "1.5 and 1.6 are compared with ExecuTorch's main branch of 2026-08-22, and with the announcement of 1.6";

}  // namespace

std::string_view name(ReleaseVerdict verdict) {
    return verdictNames[static_cast<std::size_t>(verdict)];
}

std::string_view name(LackKind kind) {
    return lackNames[static_cast<std::size_t>(kind)];
}

Compatibility checkCompatibility(const program::Program& program,
                                 std::span<const executor::Backend* const> backends) {
    Requirements required(program, backends);
    for (const program::Method& method : program.methods) {
        required.addMethod(method);
    }
    Compatibility out{.libraries = std::move(required.libraries)};
    const std::vector<ReleaseLack> needs = required.take();
    for (const Release release : core::allReleases) {
        out.releases.push_back(supportOf(release, needs, program.methods.size()));
    }
    std::ranges::copy_if(needs, std::back_inserter(out.application),
                         [](const ReleaseLack& need) { return !need.in.has_value(); });
    out.notes.emplace_back(assumedNote);
    if (program.inlineConstants.size() > 1) {
        out.notes.emplace_back(
            "constants are inside the program's tables, as before September 2024: runtimes built with "
            "ET_ENABLE_DEPRECATED_CONSTANT_BUFFER=0 do not load it");
    }
    return out;
}

std::string runningReleases(const Compatibility& compatibility) {
    std::string out;
    const std::vector<ReleaseSupport>& all = compatibility.releases;
    for (std::size_t i = 0; i < all.size(); ++i) {
        std::size_t last = i;
        while (last < all.size() && all[last].verdict <= ReleaseVerdict::RunsAdded) {
            ++last;
        }
        if (last > i) {
            const std::string_view end = name(all[last - 1].release);
            out += out.empty() ? "" : ", ";
            out += last == i + 1 ? std::string(end) : fmt::format("{} to {}", name(all[i].release), end);
            i = last - 1;
        }
    }
    return out.empty() ? "none" : out + (compatibility.application.empty() ? "" : " with additions");
}

Compatibility packageCompatibility() {
    Compatibility out;
    const ReleaseLack package{.kind = LackKind::Format,
                              .subject = "ExecuTorch Native package (.ptn)",
                              .in = ReleaseRange{.first = Release::V1_6},
                              .effect = "only programs (.pte) are loaded"};
    for (const Release release : core::allReleases) {
        const bool reads = package.in->contains(release);
        out.releases.push_back({.release = release,
                                .verdict = reads ? ReleaseVerdict::Runs : ReleaseVerdict::Fails,
                                .lacks = reads ? std::vector<ReleaseLack>() : std::vector{package}});
    }
    out.notes = {"the format is experimental in 1.6: a later release may not read it",
                 std::string(assumedNote)};
    return out;
}

}  // namespace et::inspector
