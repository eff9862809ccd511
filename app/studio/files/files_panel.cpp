#include "app/studio/files/files_panel.h"

#include "visualizers/open_session.h"
#include "visualizers/toolkit/keyed_action.h"
#include "visualizers/toolkit/report_table.h"
#include "visualizers/toolkit/widgets.h"

#include <QTreeView>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string>
#include <system_error>
#include <utility>

namespace et::studio {

using inspector::FileBelonging;
using inspector::format::Cell;

namespace {

/// The panel that shows the content of a kind of file.
struct FilePanel {
    std::string_view kind;  ///< FileBelonging::kind
    std::string_view panel;
};
constexpr std::array filePanels{FilePanel{"program", "graph"},        FilePanel{"bundled program", "verify"},
                                FilePanel{"tensor data", "size"},     FilePanel{"ETRecord", "source"},
                                FilePanel{"trace", "timeline"},       FilePanel{"debug buffer", "tensors"},
                                FilePanel{"further trace", "compare"}};

Cell fileSizeCell(const std::filesystem::path& path) {
    std::error_code failed;
    const auto size = std::filesystem::file_size(path, failed);
    return failed ? Cell() : Cell(std::uint64_t{size});
}

/// The reason is in the overview.
std::string fitOf(const FileBelonging& file) {
    if (file.disagreesWith.empty()) {
        const QString text = file.note.empty() ? QStringLiteral("yes") : QStringLiteral("names and sizes");
        return file.agreesWith.empty() ? std::string() : text.toStdString();
    }
    return fmt::format("not the {}", fmt::join(file.disagreesWith, " and the "));
}

}  // namespace

FilesPanel::FilesPanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      opened(context.opened),
      enterPanel(context.enter),
      looking(this),
      table(new visualizers::ReportTable(this)) {
    visualizers::fillColumn(*this, {table});
    table->setHint(QStringLiteral("No files are open. Drop files on the window, or press Ctrl+O."));
    table->view().setObjectName(QStringLiteral("openFiles"));
    table->view().setAccessibleName(QStringLiteral("Open files"));
    visualizers::keyedAction(*this, QStringLiteral("&Show Content"), Qt::Key_G, [this] {
        if (const auto row = table->currentRow()) {
            enterPanelFor(*row);
        }
    });
    setFocusProxy(table);
    connect(&table->view(), &QAbstractItemView::activated, this, [this] {
        if (const auto row = table->currentRow()) {
            enterPanelFor(*row);
        }
    });
    connect(&opened, &visualizers::OpenSession::changed, this, &FilesPanel::showSession);
    showSession();
}

bool FilesPanel::hasContent() const {
    return opened.session() != nullptr;
}

void FilesPanel::showSession() {
    looking.forget();
    if (const auto session = opened.session()) {
        looking.start([session] { return inspector::belonging(*session); },
                      [this](const std::vector<FileBelonging>& files) { showFiles(files); });
    } else {
        showFiles({});
    }
}

void FilesPanel::showFiles(const std::vector<FileBelonging>& files) {
    visualizers::ReportRows rows;
    rows.table.columns = {{.id = "file", .header = QStringLiteral("File").toStdString()},
                          {.id = "size", .header = QStringLiteral("Size").toStdString(), .numeric = true},
                          {.id = "kind", .header = QStringLiteral("Kind").toStdString()},
                          {.id = "fits", .header = QStringLiteral("Fits").toStdString()},
                          {.id = "folder", .header = QStringLiteral("Folder").toStdString()}};
    rows.styles = {visualizers::NumberStyle::Plain, visualizers::NumberStyle::Bytes};
    panelIds.clear();
    for (const FileBelonging& file : files) {
        rows.table.rows.push_back({file.path.filename().string(), fileSizeCell(file.path),
                                   std::string(file.kind), fitOf(file), file.path.parent_path().string()});
        const auto* const found = std::ranges::find(filePanels, file.kind, &FilePanel::kind);
        panelIds.push_back(found == filePanels.end() ? std::string_view("overview") : found->panel);
    }
    table->setRows(std::move(rows));
}

void FilesPanel::enterPanelFor(std::size_t row) {
    if (row < panelIds.size() && enterPanel) {
        enterPanel(panelIds[row]);
    }
}

}  // namespace et::studio
