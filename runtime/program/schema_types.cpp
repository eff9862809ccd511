#include "runtime/program/schema_types.h"

#include "runtime/program/schema/program_generated.h"

namespace et::program {

const flatbuffers::TypeTable& programTypes() {
    return *schema::ProgramTypeTable();
}

}  // namespace et::program
