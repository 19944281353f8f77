// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where output goes and what it may look like there.

#include <string>

#include "render/render.hpp"

namespace CLI {
class App;
}

namespace gpuprof::cli {

enum class ColorMode { automatic, always, never };

// Adds --color auto|always|never; `text` receives the word.
void add_color_option(CLI::App& app, std::string& text);
ColorMode color_mode(const std::string& text);

// The style for text written to the descriptor: the terminal's width, else $COLUMNS, else 100 columns. Automatic colour
// follows NO_COLOR, CLICOLOR_FORCE, FORCE_COLOR and TERM=dumb, and is off where there is no terminal.
render::TextStyle style_for(int fd, ColorMode mode);

// Writes to standard output, or to a file when `path` is neither empty nor "-". Throws Error when it cannot be written.
void write_output(const std::string& path, const std::string& text);

}  // namespace gpuprof::cli
