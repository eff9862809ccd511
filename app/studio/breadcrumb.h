#pragma once

#include "app/studio/background.h"
#include "visualizers/toolkit/flame_scene.h"

#include <QLabel>
#include <QString>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace et::visualizers {
class OpenSession;
class Selection;
}  // namespace et::visualizers

namespace et::studio {

/// Where in the model what is chosen stands: "forward › features › 2 › conv2d". A click on a part chooses all
/// that runs in it. Parts in the middle give way where there is no room.
class Breadcrumb : public QLabel {
    Q_OBJECT

  public:
    /// Both outlive the label.
    Breadcrumb(const visualizers::OpenSession& session, visualizers::Selection& selection, QWidget* parent);

    /// The whole way as it is read, however little of it there is room for.
    [[nodiscard]] QString way() const;
    [[nodiscard]] bool busy() const { return building.running(); }

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    struct Crumb {
        QString text;
        std::optional<std::size_t> node{};  ///< of the scene; nothing: it leads nowhere
    };
    using Scene = std::shared_ptr<const visualizers::FlameScene>;
    void build();
    void showChoice();
    void write();
    [[nodiscard]] std::size_t partsKept(int room) const;
    [[nodiscard]] QString linked(const Crumb& crumb, int room) const;
    void follow(const QString& link);
    [[nodiscard]] std::vector<Crumb> crumbsOfChoice() const;
    [[nodiscard]] std::optional<std::size_t> chosenNode() const;

    const visualizers::OpenSession& opened;
    visualizers::Selection& chosen;
    Background<Scene> building;
    std::shared_ptr<const inspector::EventBlocks> shown;  ///< that the scene is of
    Scene scene;                                          ///< by module; null: there is none yet
    std::vector<Crumb> crumbs;
};

}  // namespace et::studio
