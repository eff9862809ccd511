#include "app/tasks/session/session_tables.h"

#include "app/tasks/base/interruption.h"
#include "backends/builtin.h"

namespace et::tasks {

core::Result<OpenedTables> openTables(const SessionInput& input, const std::string& writer, Needs needs) {
    OpenedTables tables;
    ET_ASSIGN(const SessionSource source, SessionSource::open(input.files));
    if (!source.store || needs == Needs::TablesAndSession) {
        ET_ASSIGN(tables.opened, openInput(input.join, source, inspector::SessionScope::Tensors));
    }
    if (source.store) {
        tables.database = source.store->database();
    } else {
        ET_ASSIGN(tables.database, inspector::store::sessionDatabase(
                                       *tables.opened.session, {.backends = backends::describable(),
                                                                .writer = writer,
                                                                .cancel = &InterruptionGuard::requested()}));
    }
    tables.database->allowReadingOnly();
    tables.database->cancelWhen([] { return InterruptionGuard::requested().load(); });
    return tables;
}

}  // namespace et::tasks
