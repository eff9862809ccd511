#include "app/tasks/size/session_size.h"

#include "backends/builtin.h"

#include <utility>

namespace et::tasks {

core::Result<SessionSize> sessionSize(const inspector::Session& session) {
    SessionSize out;
    if (!session.files.tensorData.empty()) {
        ET_ASSIGN(auto data, program::TensorData::open(session.files.tensorData));
        out.data.push_back(std::move(data));
    }
    ET_ASSIGN(out.map, inspector::makeSizeMap({.program = session.program,
                                               .bundle = session.bundle,
                                               .tensorData = out.data,
                                               .record = session.recordOfProgram(),
                                               .backends = backends::describable()}));
    return out;
}

}  // namespace et::tasks
