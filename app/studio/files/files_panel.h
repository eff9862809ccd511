#pragma once

#include "app/studio/background.h"
#include "app/studio/panel.h"
#include "inspector/session/belonging.h"

#include <QString>

#include <functional>
#include <string_view>
#include <vector>

namespace et::visualizers {
class ReportTable;
}

namespace et::studio {

/// Panel of the open files: kind, size, and whether each matches the others. Enter opens the panel that shows
/// a file's content.
class FilesPanel : public Panel {
    Q_OBJECT

  public:
    FilesPanel(const PanelContext& context, QWidget* parent);

    [[nodiscard]] bool hasContent() const override;
    [[nodiscard]] bool busy() const { return looking.running(); }

  private:
    void showSession();
    void showFiles(const std::vector<inspector::FileBelonging>& files);
    void enterPanelFor(std::size_t row);

    const visualizers::OpenSession& opened;
    std::function<void(std::string_view)> enterPanel;
    Background<std::vector<inspector::FileBelonging>> looking;
    visualizers::ReportTable* table;
    std::vector<std::string_view> panelIds;  ///< by row: the panel that shows the file
};

}  // namespace et::studio
