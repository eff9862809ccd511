#include "app/tasks/session/package_session.h"

#include "app/tasks/base/package_file.h"
#include "inspector/join/event_blocks.h"
#include "inspector/session/record_check.h"

#include <fmt/format.h>

#include <utility>

namespace et::tasks {

using inspector::Session;

std::shared_ptr<const Session> withPackageProgram(std::shared_ptr<const Session> session) {
    if (session->package == nullptr || session->program != nullptr) {
        return session;
    }
    auto made = std::make_shared<Session>(*session);
    auto lowered = lowerPackage(session->package);
    if (!lowered) {
        made->problems.push_back(
            fmt::format("the package cannot be run here: {}", lowered.error().toString()));
        return made;
    }
    made->program = std::move(lowered->program);
    if (made->record == nullptr) {
        made->record = std::move(lowered->record);
    } else {
        made->recordContradiction = inspector::contradiction(*made->record, *made->program);
    }
    if (made->trace != nullptr) {
        auto blocks = inspector::EventBlocks::build(
            made->trace, made->record, made->debugBuffer, made->blocks->options(),
            made->recordContradiction ? nullptr : made->program.get());
        made->blocks = blocks ? *std::move(blocks) : made->blocks;
    }
    return made;
}

}  // namespace et::tasks
