#include "app/tasks/rewrite/program_piece.h"

#include <utility>

namespace et::tasks {

core::Result<ProgramPiece> ProgramPiece::load(const Model& model,
                                              std::shared_ptr<const program::Program> program,
                                              std::string_view method, core::EventTracer* tracer) {
    ProgramPiece piece;
    piece.program = std::move(program);
    piece.module = std::make_unique<executor::Module>(model.newModule(piece.program, tracer));
    auto loaded = piece.module->load(method);
    if (!loaded) {
        return std::unexpected(errorOfProgram(std::move(loaded).error(), *piece.program));
    }
    piece.method = *loaded;
    return piece;
}

core::Result<> ProgramPiece::execute(const InputSet& inputs) const {
    ET_TRY(inputs.give(*method));
    if (auto ran = method->execute(); !ran) {
        return std::unexpected(errorOfProgram(std::move(ran).error(), *program));
    }
    return {};
}

}  // namespace et::tasks
