#pragma once

#include "runtime/builder/program_builder.h"
#include "runtime/program/program.h"

namespace et::backends::lowering {

/// Adds the methods of a program that only store constants ("get_vocab_size"), which records lack. Methods
/// that return other kinds of values than numbers, texts, their lists and tensors are left out.
void addConstantMethods(const program::Program& from, builder::ProgramBuilder& to);

}  // namespace et::backends::lowering
