#include "app/output/delegates/delegates_page.h"

#include "app/output/delegates/delegate_info.h"
#include "app/output/info/info_text.h"
#include "backends/builtin.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace et::output {
namespace {

using core::Result;

constexpr std::size_t delegateListRows = 20;
constexpr std::int64_t delegatesSchema = 1;

}  // namespace

Result<DelegatesPage> DelegatesPage::open(const DelegatesQuery& question) {
    DelegatesPage page;
    page.asked = question;
    ET_ASSIGN(page.file, tasks::ProgramFile::open(question.model));
    ET_ASSIGN(page.data, tasks::openTensorData(question.tensorData));
    ET_ASSIGN(page.session,
              inspector::Session::open(question.beside,
                                       {.clock = question.clock,
                                        .target = question.clock.target(inspector::TimeScale::Milliseconds),
                                        .method = question.beside.record.empty() ? "" : question.method}));
    auto report = inspector::delegatesOf({.program = *page.file.program,
                                          .tensorData = page.data,
                                          .backends = backends::describable(),
                                          .record = page.session->record.get(),
                                          .blocks = page.session->blocks.get(),
                                          .method = question.method});
    if (!report) {
        return std::unexpected(std::move(report).error().in(question.model.string()));
    }
    page.report = *std::move(report);
    if (page.session->blocks != nullptr) {
        std::ranges::copy(page.session->blocks->warnings(), std::back_inserter(page.report.warnings));
    }
    return page;
}

Dict DelegatesPage::info(bool nodes, bool forPeople, bool shorten) const {
    const std::string_view unit =
        session->blocks == nullptr ? "" : inspector::traits(session->blocks->options().target).name;
    return {{"file", asked.model.string()},
            {"methods", delegateInfo(report, session->record.get(),
                                     {.nodes = nodes,
                                      .forPeople = forPeople,
                                      .shortenLists = shorten,
                                      .groupsEqual = shorten && !nodes,
                                      .timeUnit = unit,
                                      .record = session->record != nullptr})}};
}

std::string DelegatesPage::text(bool nodes, bool all, std::size_t width) const {
    return infoText(info(nodes, true, !all), all || nodes ? 0 : delegateListRows, width);
}

std::string DelegatesPage::json(bool nodes) const {
    Dict document = info(nodes, false, false);
    document.emplace_back("warnings", listOf(report.warnings));
    return jsonDocument(delegatesSchema, std::move(document));
}

}  // namespace et::output
