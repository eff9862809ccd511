#include "app/cli/dap/debuggee.h"

namespace et::cli::dap {

core::Result<> Debuggee::launch(const std::vector<std::string>& arguments) {
    if (engine) {
        return core::fail(core::ErrorCode::InvalidArgument, "a program is already being debugged");
    }
    ET_ASSIGN(engine, factory(arguments));
    lastStop.reset();
    ++changes;
    auto answer = ask("info instructions");
    if (!answer) {
        engine.reset();
        return std::unexpected(std::move(answer).error());
    }
    map = SourceMap((*answer)["info"]["instructions"]);
    return {};
}

core::Result<JsonText> Debuggee::ask(std::string_view command) {
    if (!engine) {
        return core::fail(core::ErrorCode::InvalidArgument, "no program is being debugged");
    }
    ET_ASSIGN(JsonText answer, engine->ask(command));
    if (const JsonValue stop = answer["stop"]) {
        lastStop = Stop::read(stop);
        ++stops;
        ++changes;
    }
    return answer;
}

}  // namespace et::cli::dap
