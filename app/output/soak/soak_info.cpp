#include "app/output/soak/soak_info.h"

#include "app/output/sanitize/memory_errors.h"
#include "runtime/core/result.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <utility>

namespace et::output {
namespace {

/// `node`: index of the operator inside its delegate, if known.
std::string siteText(const tasks::ValueSite& site, std::optional<std::size_t> node = {}) {
    if (site.instruction < 0) {
        return fmt::format("output {} of the method", site.position);
    }
    if (site.inner) {
        return fmt::format("{} (instruction {}, {}value {}{})", core::printable(site.name), site.instruction,
                           node ? fmt::format("operator {}, ", *node) : "", *site.inner,
                           site.handle ? fmt::format(", debug handle {}", *site.handle) : "");
    }
    return fmt::format("{} (instruction {}{})", core::printable(site.name), site.instruction,
                       site.chain == 0 ? "" : fmt::format(" of chain {}", site.chain));
}

std::string elementsText(const tasks::ValueDifference& difference) {
    if (difference.differing == 0) {
        return difference.pattern.empty() ? "different sizes, or elements that were not stored"
                                          : difference.pattern;
    }
    return fmt::format("{} of {} elements, the first at [{}]{}", difference.differing, difference.elements,
                       fmt::join(difference.first, ", "),
                       difference.pattern.empty() ? "" : "; " + difference.pattern);
}

void addVariants(std::string& text, const tasks::SoakResult& result) {
    for (std::size_t i = 0; i < tasks::soakVariants; ++i) {
        const tasks::SoakVariantInfo& variant = traits(static_cast<tasks::SoakVariant>(i));
        if (result.runsByVariant[i] > 0) {
            text += fmt::format("  {:<8} {:>6} of {:>6} differ{}\n", variant.name,
                                result.differingByVariant[i], result.runsByVariant[i],
                                result.differingByVariant[i] > 0 ? fmt::format(": {}", variant.meaning) : "");
        }
    }
}

/// Adds the operators that differ inside a delegate whose call differs.
void addInside(std::string& text, const tasks::SoakFailure& call) {
    if (!call.innerProblem.empty()) {
        text += fmt::format("  its operators were not checked: {}\n", core::printable(call.innerProblem));
    }
    if (call.inside == nullptr) {
        return;
    }
    const tasks::InnerFailures& inside = *call.inside;
    const tasks::SoakRate rate = tasks::rateOf(inside.differing, inside.runs);
    text += fmt::format("  {} of {} executions of that call alone differ ({} to {} at 95 %)\n",
                        inside.differing, inside.runs, readablePercent(rate.low), readablePercent(rate.high));
    for (const tasks::SoakFailure& each : inside.failures) {
        if (each.example.site.inner) {
            text += fmt::format("  first to differ in {} of them: {}: {}\n", each.runs,
                                siteText(each.example.site, each.node), elementsText(each.example));
        } else {
            text += fmt::format("  only its result differs in {} of them: {}\n", each.runs,
                                elementsText(each.example));
        }
    }
}

void addOrigins(std::string& text, const std::vector<tasks::KindOrigin>& origins,
                std::optional<tasks::NumberKind> origin) {
    bool any = false;
    for (const tasks::KindOrigin& each : origins) {
        if (origin ? each.kind != *origin : each.kind == tasks::NumberKind::Saturated) {
            continue;
        }
        any = true;
        text += fmt::format("{} begins at {}: {} of {} elements\n", tasks::nameOf(each.kind),
                            siteText(each.site), each.counts[each.kind], each.counts.elements);
    }
    if (origin && !any) {
        text += fmt::format("no value is {}\n", tasks::nameOf(*origin));
    }
}

Dict siteInfo(const tasks::ValueSite& site) {
    return {{"operator", site.name},
            {"chain", site.chain},
            {"instruction", std::int64_t{site.instruction}},
            {"position", std::uint64_t{site.position}},
            {"inner_value", optionalCell(site.inner)},
            {"debug_handle", optionalCell(site.handle)}};
}

List originList(const std::vector<tasks::KindOrigin>& origins) {
    return listOf(origins, [&](const tasks::KindOrigin& origin) {
        Dict each{{"kind", std::string(tasks::nameOf(origin.kind))}};
        const Dict site = siteInfo(origin.site);
        each.insert(each.end(), site.begin(), site.end());
        each.emplace_back("elements", origin.counts.elements);
        each.emplace_back("elements_of_kind", origin.counts[origin.kind]);
        return each;
    });
}

Dict variantsInfo(const std::array<std::size_t, tasks::soakVariants>& counts) {
    Dict out;
    for (std::size_t i = 0; i < tasks::soakVariants; ++i) {
        out.emplace_back(std::string(traits(static_cast<tasks::SoakVariant>(i)).name),
                         std::uint64_t{counts[i]});
    }
    return out;
}

Dict failureInfo(const tasks::SoakFailure& failure) {
    Dict each = siteInfo(failure.example.site);
    each.emplace_back("node", optionalCell(failure.node));
    each.emplace_back("executions", std::uint64_t{failure.runs});
    each.emplace_back("by_variant", variantsInfo(failure.byVariant));
    each.emplace_back("elements", failure.example.elements);
    each.emplace_back("elements_differing", failure.example.differing);
    each.emplace_back("first_index", failure.example.first);
    each.emplace_back("pattern", failure.example.pattern);
    return each;
}

Dict insideInfo(const tasks::InnerFailures& inside) {
    const tasks::SoakRate rate = tasks::rateOf(inside.differing, inside.runs);
    return {{"executions", std::uint64_t{inside.runs}},
            {"differing", std::uint64_t{inside.differing}},
            {"rate", Dict{{"share", rate.share}, {"low", rate.low}, {"high", rate.high}}},
            {"failures", listOf(inside.failures, failureInfo)}};
}

}  // namespace

std::string soakText(const tasks::SoakResult& result, std::optional<tasks::NumberKind> origin) {
    const tasks::SoakRate rate = result.rate();
    std::string text = fmt::format("{}: {} of {} executions on {} input sets differ ({} to {} at 95 %)\n",
                                   core::printable(result.method), result.differing, result.runs,
                                   result.inputSets, readablePercent(rate.low), readablePercent(rate.high));
    addVariants(text, result);
    if (result.state) {
        text += "  the method keeps state: it was loaded again for each execution\n";
    }
    for (const tasks::SoakFailure& failure : result.failures) {
        text += fmt::format("first to differ in {} of them: {}: {}\n", failure.runs,
                            siteText(failure.example.site), elementsText(failure.example));
        addInside(text, failure);
    }
    addOrigins(text, result.origins, origin);
    return text;
}

Dict soakInfo(const tasks::SoakResult& result) {
    List failures;
    for (const tasks::SoakFailure& failure : result.failures) {
        Dict each = failureInfo(failure);
        each.emplace_back("inside", failure.inside == nullptr ? Cell() : insideInfo(*failure.inside));
        each.emplace_back("inside_problem", failure.innerProblem);
        failures.emplace_back(std::move(each));
    }
    const tasks::SoakRate rate = result.rate();
    Dict info{{"method", result.method},
              {"input_sets", std::uint64_t{result.inputSets}},
              {"executions", std::uint64_t{result.runs}},
              {"differing", std::uint64_t{result.differing}},
              {"rate", Dict{{"share", rate.share}, {"low", rate.low}, {"high", rate.high}}},
              {"executions_by_variant", variantsInfo(result.runsByVariant)},
              {"differing_by_variant", variantsInfo(result.differingByVariant)},
              {"failures", std::move(failures)},
              {"origins", originList(result.origins)},
              {"keeps_state", result.state},
              {"interrupted", result.interrupted}};
    if (result.memoryErrors) {
        info.emplace_back("memory_errors", memoryErrorList(*result.memoryErrors));
    }
    return info;
}

std::string originsText(const tasks::TracedOrigins& traced, std::optional<tasks::NumberKind> origin) {
    std::string text = fmt::format("{} values of a traced run\n", traced.values);
    addOrigins(text, traced.origins, origin);
    return text;
}

Dict originsInfo(const tasks::TracedOrigins& traced) {
    return {{"values", std::uint64_t{traced.values}}, {"origins", originList(traced.origins)}};
}

}  // namespace et::output
