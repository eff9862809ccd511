#include "app/output/memory/memory_page.h"

#include "app/output/info/artifact_info.h"
#include "app/output/info/info_text.h"
#include "app/output/info/summed.h"
#include "app/output/memory/cache_info.h"
#include "app/output/memory/memory_info.h"
#include "backends/host_caches.h"
#include "inspector/generate/language_metadata.h"
#include "inspector/memory/memory_picture.h"
#include "inspector/session/record_check.h"
#include "inspector/session/trace_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace et::output {
namespace {

using core::Result;
using inspector::MemoryTimeline;

constexpr std::int64_t memorySchema = 1;

Result<std::vector<inspector::AlternativePlan>> otherPlans(const MemoryTimeline& timeline) {
    std::vector<inspector::AlternativePlan> out;
    for (const inspector::PlanChoice& plan : inspector::planChoices()) {
        ET_ASSIGN(auto planned, inspector::planAgain(timeline, plan.strategy, plan.alignment));
        out.push_back(std::move(planned));
    }
    return out;
}

}  // namespace

Result<> MemoryPage::lookAt(const program::Method& method) {
    const etrecord::Record* const from = session->record.get();
    ET_ASSIGN(auto timeline, MemoryTimeline::build(*file.program, method));
    looked.alternativePlans.emplace_back();
    if (asked.whatIf) {
        ET_ASSIGN(looked.alternativePlans.back(), otherPlans(timeline));
    }
    for (const inspector::PlanOverlap& overlap : timeline.overlaps) {
        notes.push_back(
            fmt::format("method \"{}\": {}", core::printable(method.name), describe(overlap, timeline)));
    }
    const auto wrong = from == nullptr ? std::nullopt : inspector::contradiction(*from, method);
    if (wrong) {
        notes.push_back(*wrong);
    }
    looked.timelines.push_back(std::move(timeline));
    looked.nodes.emplace_back(wrong ? nullptr : from, method.name);
    return {};
}

Result<> MemoryPage::measure() {
    bool found = session->blocks == nullptr;
    for (const MemoryTimeline& timeline : looked.timelines) {
        looked.measured.emplace_back();
        looked.allocations.emplace_back();
        if (session->blocks != nullptr) {
            looked.measured.back() = inspector::measuredMemory(*session->trace, *timeline.method);
            looked.allocations.back() = inspector::collectAllocations(*session->blocks, *timeline.method,
                                                                      file.program->methods.size() == 1);
            found = found || !looked.measured.back().empty() || !looked.allocations.back().empty();
        }
    }
    if (!found) {
        return core::fail(core::ErrorCode::NotFound,
                          "no allocations of the program are recorded: use run --allocations",
                          {.file = session->files.trace.string(), .field = {}, .offset = {}});
    }
    return {};
}

Result<> MemoryPage::compareWithTrace() {
    const auto wrong =
        session->blocks == nullptr ? std::nullopt : inspector::contradiction(*session->blocks, *file.program);
    if (wrong) {
        notes.push_back("the trace belongs to another program: " + *wrong);
    }
    auto measured = measure();
    if (!measured && wrong) {
        measured.error().message = notes.back();
    }
    return measured;
}

Result<> MemoryPage::look() {
    const auto context = inspector::languageMetadata(*file.program).maxContext;
    looked.context = static_cast<std::uint64_t>(std::max<std::int64_t>(context.value_or(0), 0));
    looked.caches = backends::hostCachePlan(*file.program, asked.caches);
    for (const program::Method& each : file.program->methods) {
        if (asked.method.empty() || each.name == asked.method) {
            ET_TRY(lookAt(each));
        }
    }
    if (looked.timelines.empty() && !asked.method.empty()) {
        return core::fail(core::ErrorCode::NotFound,
                          fmt::format("the program has no method \"{}\"", core::printable(asked.method)));
    }
    return compareWithTrace();
}

Result<MemoryPage> MemoryPage::open(const MemoryQuery& question) {
    MemoryPage page;
    page.asked = question;
    ET_ASSIGN(page.file, tasks::ProgramFile::open(question.model));
    ET_ASSIGN(page.session, inspector::Session::open(question.beside));
    if (auto seen = page.look(); !seen) {
        return std::unexpected(std::move(seen).error().in(question.model.string()));
    }
    return page;
}

List MemoryPage::methods(bool forPeople, std::size_t top) const {
    List all;
    for (std::size_t i = 0; i < looked.timelines.size(); ++i) {
        all.emplace_back(memoryInfo(looked.timelines[i], looked.nodes[i],
                                    {.forPeople = forPeople,
                                     .top = top,
                                     .record = !asked.beside.record.empty(),
                                     .alternativePlans = looked.alternativePlans[i],
                                     .measured = looked.measured[i],
                                     .allocations = looked.allocations[i],
                                     .context = looked.context}));
    }
    return all;
}

std::string MemoryPage::text(std::size_t top) const {
    Dict all{{"file", asked.model.string()}, {"methods", methods(true, top)}};
    addHostCaches(all, looked.caches);
    return infoText(top == 0 ? all : summed(std::move(all)), 0);
}

std::string MemoryPage::json() const {
    Dict info{{"file", asked.model.string()}, {"methods", methods(false, 0)}};
    addHostCaches(info, looked.caches);
    info.emplace_back("warnings", listOf(notes));
    return jsonDocument(memorySchema, std::move(info));
}

std::string MemoryPage::csv() const {
    Table table = tensorTable();
    for (std::size_t i = 0; i < looked.timelines.size(); ++i) {
        addRows(table, looked.timelines[i], looked.nodes[i]);
    }
    return render(table, Format::Csv);
}

std::vector<inspector::MemoryView> MemoryPage::views() const {
    std::vector<inspector::MemoryView> views;
    views.reserve(looked.timelines.size());
    for (std::size_t i = 0; i < looked.timelines.size(); ++i) {
        views.push_back({.timeline = looked.timelines[i], .nodes = looked.nodes[i]});
    }
    return views;
}

std::string MemoryPage::picture() const {
    return inspector::memoryPicture(views());
}

Result<std::string> MemoryPage::chromeTrace(inspector::AllocationPlace place) const {
    return inspector::allocationTrace(views(), place).transform_error([&](core::Error error) {
        return std::move(error).in(asked.model.string());
    });
}

}  // namespace et::output
