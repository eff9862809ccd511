#include "visualizers/delegates/delegation.h"

#include "backends/builtin.h"
#include "visualizers/toolkit/text.h"

#include <utility>

namespace et::visualizers {

std::shared_ptr<const Delegation> Delegation::build(
    const std::shared_ptr<const inspector::Session>& session) {
    if (!session || !session->program) {
        return nullptr;
    }
    auto out = std::make_shared<Delegation>(Delegation{.session = session});
    if (!session->files.tensorData.empty()) {
        if (auto data = program::TensorData::open(session->files.tensorData)) {
            out->tensorData.push_back(std::move(*data));
        } else {
            out->problems.push_back(data.error().toString());
        }
    }
    auto report = inspector::delegatesOf({.program = *session->program,
                                          .tensorData = out->tensorData,
                                          .backends = backends::describable(),
                                          .record = session->record.get(),
                                          .blocks = session->blocks.get()});
    if (report) {
        out->report = std::move(*report);
    } else {
        out->problems.push_back(report.error().toString());
    }
    if (session->blocks) {
        out->timeScale = session->blocks->options().target;
    }
    return out;
}

}  // namespace et::visualizers
