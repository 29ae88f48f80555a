//! Reading a robot file, whatever is in it.

use std::path::Path;

use roxmltree::{Document, ParsingOptions};
use serde_json::{Value, json};

use super::account::Account;
use super::audit::Audit;
use super::parts::{Description, JointDescription, JointKind, LinkDescription, SecondReading};
use super::{Transmission, Verdict};
use super::{inertia, second_reading, transmission, tree, urdf};
use super::{shape, source};
use crate::error::{Error, Fault, Result};
use crate::input::limits::{ROBOT_BYTES, ROBOT_NODES};
use crate::input::{self, Positions};

/// What reading a robot file found. It exists for every file, however broken.
#[derive(Clone, Debug)]
pub struct Inspection {
    /// The file as the user named it.
    pub file: String,
    /// SHA-256 of its bytes, 64 hexadecimal digits.
    pub sha256: String,
    /// Everything wrong, in file order; empty when there is a [`Description`].
    pub errors: Vec<Fault>,
    /// The verdict on every element and attribute; `None` when the file is not XML.
    pub account: Option<Account>,
    /// The robot's name; empty when there is none.
    pub robot: String,
    /// The links that could be read, in file order.
    pub links: Vec<LinkDescription>,
    /// The joints that could be read, in file order.
    pub joints: Vec<JointDescription>,
    /// The root link, when there is exactly one.
    pub root: Option<String>,
    /// The transmissions, in file order.
    pub transmissions: Vec<Transmission>,
    /// What urdf-rs made of the same text.
    pub second_reading: SecondReading,
}

impl Inspection {
    /// Reads a robot file.
    ///
    /// # Errors
    /// [`Error::Io`] when the file cannot be read; [`Error::File`] when it is none, or too large. What is wrong inside it
    /// is in `errors`.
    pub fn read(path: impl AsRef<Path>) -> Result<Inspection> {
        let name = path.as_ref().display().to_string();
        let bytes =
            input::read(path.as_ref(), ROBOT_BYTES, "the robot file itself, not an archive or a mesh")?;
        Ok(Inspection::parse(&name, &bytes))
    }

    /// Reads a robot file's bytes; `file` is the name used in messages.
    pub fn parse(file: &str, bytes: &[u8]) -> Inspection {
        let mut inspection = Inspection {
            file: file.into(),
            sha256: source::sha256(bytes),
            errors: Vec::new(),
            account: None,
            robot: String::new(),
            links: Vec::new(),
            joints: Vec::new(),
            root: None,
            transmissions: Vec::new(),
            second_reading: SecondReading { agreed: 0, skipped: "the file has errors".into() },
        };
        if let Err(fault) = inspection.fill(bytes) {
            inspection.errors.push(fault);
        }
        inspection.errors.sort_by_key(|fault| (fault.line, fault.column));
        inspection
    }

    /// Fills in everything; a fault returned is one after which nothing more can be read.
    fn fill(&mut self, bytes: &[u8]) -> std::result::Result<(), Fault> {
        let text = source::decode(bytes)?;
        shape::check(text)?;
        let options = ParsingOptions { nodes_limit: ROBOT_NODES, ..ParsingOptions::default() };
        let doc =
            Document::parse_with_options(text, options).map_err(|error| source::xml_fault(text, &error))?;
        let positions = Positions::new(text);
        let mut reading = urdf::read(&doc, Audit::of(&doc, &positions)?);
        if reading.faults.iter().all(|fault| fault.code != "no_robot") {
            self.root = tree::check(&mut reading, doc.root_element());
            tree::judge(&mut reading, self.root.as_deref());
            let sound = reading.faults.is_empty();
            inertia::judge(&mut reading, sound);
        }
        self.second_reading = second_reading::compare(&mut reading, text);
        self.errors = reading.faults;
        self.robot = reading.robot;
        self.links = reading.links.into_iter().map(|(link, _)| link).collect();
        self.joints = reading.joints.into_iter().map(|(joint, _)| joint).collect();
        self.account = Some(reading.audit.finish());
        self.transmissions = transmission::read(doc.root_element(), &positions, &self.joints);
        Ok(())
    }

    /// The description.
    ///
    /// # Errors
    /// [`Error::Description`] with all `errors`, when there are any.
    pub fn description(self) -> Result<Description> {
        match (self.errors.is_empty(), self.account, self.root) {
            (true, Some(account), Some(root)) => Ok(Description {
                file: self.file,
                sha256: self.sha256,
                robot: self.robot,
                links: self.links,
                joints: self.joints,
                root,
                transmissions: self.transmissions,
                account,
                couples_mimics: false,
            }),
            (_, _, _) => Err(Error::Description { file: self.file, faults: self.errors }),
        }
    }

    /// The document of `inspect --json`, schema `articula/inspect/1`.
    ///
    /// `elements`, `attributes` and `counts` are those of the account; `texts` lists stray text; `mass` is null for a
    /// link without `<inertial>`; `lower` and `upper` are null where a joint has no stops of that kind.
    pub fn to_json(&self) -> Value {
        let nothing = Account::default();
        let account = self.account.as_ref().unwrap_or(&nothing);
        json!({
            "schema": "articula/inspect/1",
            "file": self.file,
            "sha256": self.sha256,
            "robot": self.robot,
            "root": self.root,
            "errors": self.errors,
            "elements": account.elements,
            "attributes": account.attributes,
            "texts": account.texts,
            "counts": account.counts(),
            "joints": self.joints.iter().map(joint_json).collect::<Vec<_>>(),
            "links": self.links.iter().map(link_json).collect::<Vec<_>>(),
            "frames": self.links.iter().map(|link| &link.name).collect::<Vec<_>>(),
            "transmissions": self.transmissions,
            "second_reading": self.second_reading,
        })
    }

    /// Whether anything is refused.
    pub fn has_refused(&self) -> bool {
        let account = self.account.as_ref();
        account.is_some_and(|account| account.entries().any(|entry| entry.verdict == Verdict::Refused))
    }
}

fn joint_json(joint: &JointDescription) -> Value {
    let bounded = matches!(joint.kind, JointKind::Revolute | JointKind::Prismatic);
    let limit = joint.limit.as_ref();
    json!({
        "name": joint.name,
        "kind": joint.type_name,
        "parent": joint.parent,
        "child": joint.child,
        "axis": joint.axis,
        "lower": limit.filter(|_| bounded).map(|limit| limit.lower),
        "upper": limit.filter(|_| bounded).map(|limit| limit.upper),
        "effort": limit.and_then(|limit| limit.effort),
        "velocity": limit.and_then(|limit| limit.velocity),
        "damping": joint.damping,
        "friction": joint.friction,
    })
}

fn link_json(link: &LinkDescription) -> Value {
    json!({ "name": link.name, "mass": link.inertial.map(|inertial| inertial.mass) })
}
